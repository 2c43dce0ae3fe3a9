package text

import "strings"

// Markdown returns foreign text as plain text for one line of a Markdown document.
func Markdown(foreign string) string { return markup.Replace(EscapeLine(foreign)) }

// markup escapes everything that has a meaning in Markdown or HTML.
var markup = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"#", `\#`, "|", `\|`, "~", `\~`, "!", `\!`, "://", "&#58;//", "www.", "www&#46;",
)

// MarkdownCode returns foreign text as inline code, between more backquotes than it has in a row.
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
