package text

// Style says how text is shown.
type Style struct {
	// Color is for terminals, and never with NO_COLOR.
	Color bool
	// Width is the number of columns; 0: not known, as in a pipe, where nothing is cut.
	Width int
}

// Colours of a terminal.
const (
	Red    = "\x1b[31m"
	Green  = "\x1b[32m"
	Yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// Paint colours a text of this tool; never foreign text.
func (s Style) Paint(color, text string) string {
	if !s.Color || color == "" {
		return text
	}
	return color + text + reset
}
