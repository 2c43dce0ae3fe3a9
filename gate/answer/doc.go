// Package answer reads the form in which reviewers answer.
//
// The form is one JSON object; docs/answer.md explains its keys, and [Schema]
// prints them. [Read] takes a text that is the form, or says in one sentence what
// does not fit, so that the reviewer can be asked once more. [Salvage] and [Combine]
// see to it that asking again never loses a finding. [Merge] joins the answers to the
// parts of a prompt.
//
// The package is pure: it reads no file and no clock. It does not interpret prose: what a
// reviewer writes into a text is kept and shown, and decides nothing.
package answer
