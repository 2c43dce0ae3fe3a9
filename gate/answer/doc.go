// Package answer parses the form in which reviewers answer.
//
// The form is one JSON object; docs/answer.md explains its keys, and [Schema] prints them. [Read]
// parses a text that is the form, or says in one sentence what does not fit, so that the reviewer
// can be asked once more. [Salvage] and [Combine] make sure that asking again never loses a
// finding. [Merge] joins the answers to the parts of a prompt.
//
// The package is pure: it does not read files or the clock. It does not interpret prose: what a
// reviewer writes in a text is kept and shown, and decides nothing.
package answer
