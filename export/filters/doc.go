// Package filters reads what a user chooses rows by. The commands and the dashboard have
// the same filters, and one parser: a flag of a command is a parameter of a page's URL of
// the same name.
package filters
