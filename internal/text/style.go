package text

// Style says how text is shown on the output.
type Style struct {
	// Color is true only on terminals, and never with NO_COLOR.
	Color bool
	// Width is the width in columns. It is 0 if unknown, as in a pipe: nothing is cut then.
	Width int
}

// Terminal escape sequences for colors.
const (
	Red    = "\x1b[31m"
	Green  = "\x1b[32m"
	Yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// Paint colors text of this program. It must not be used for foreign text.
func (s Style) Paint(color, text string) string {
	if !s.Color || color == "" {
		return text
	}
	return color + text + reset
}
