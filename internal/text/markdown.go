package text

import "strings"

// Markdown shows foreign text as text on one line of a Markdown document.
func Markdown(foreign string) string { return markup.Replace(EscapeLine(foreign)) }

// markup takes the meaning off what markdown and HTML would read.
var markup = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"#", `\#`, "|", `\|`, "~", `\~`, "!", `\!`, "://", "&#58;//", "www.", "www&#46;",
)

// MarkdownCode shows foreign text as code, between more backquotes than it has in a row.
func MarkdownCode(foreign string) string {
	foreign = EscapeLine(foreign)
	fence := "`"
	for strings.Contains(foreign, fence) {
		fence += "`"
	}
	if fence == "`" {
		return fence + foreign + fence
	}
	return fence + " " + foreign + " " + fence
}
