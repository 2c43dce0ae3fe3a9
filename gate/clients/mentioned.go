package clients

import (
	"html"
	"path"
	"regexp"
	"strings"
	"sync"
)

// maxMentioned bounds how many files a text is searched for.
const maxMentioned = 2000

// mentioned returns the files under review that a text mentions which no reading of it
// fits: with whatever is written around the path, without its ending, or as the name of a
// module. They are guesses: none of them is reason enough to drop a report.
func (r *Resolver) mentioned(name string) (found []match) {
	if len(name) > maxName {
		return nil
	}
	folded := fold(slashed(html.UnescapeString(name)))
	module := asModule(folded)
	looked := 0
	for i, file := range r.files {
		if file.changed == nil && len(file.noted) == 0 {
			continue
		}
		if looked++; looked > maxMentioned {
			return found
		}
		for _, p := range file.folded {
			if fits, ok := mentionOf(p, folded, module); ok {
				_, behind, _ := strings.Cut(folded, path.Base(p))
				found = append(found, match{fit: fits, file: i, path: file.path, lines: linesBehind(behind), part: true})
				break
			}
		}
	}
	return found
}

// mentionOf says how well a folded path fits a folded text, or the text as a module.
func mentionOf(p, text, module string) (fits fit, ok bool) {
	stem := asModule(strings.TrimSuffix(p, path.Ext(p)))
	switch base := path.Base(p); {
	case holdsName(text, p):
		return fitFoldedPart, true
	case strings.Contains(base, ".") && holdsName(strings.ReplaceAll(text, "/", "_"), base): // not in another folder
		return fitGuess, true
	case stem == "", module == "":
		return 0, false
	case module == stem, module == asModule(p):
		return fitFoldedPart, true
	case strings.Contains(module, "/") && strings.HasSuffix("/"+stem, "/"+module),
		strings.Contains(stem, "/") && strings.HasSuffix(module, "/"+stem):
		return fitGuess, true
	}
	return 0, false
}

// holdsName reports whether a text holds a path that is not part of a longer word.
func holdsName(text, p string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], p)
		if at < 0 || p == "" {
			return false
		}
		at += from
		end := at + len(p)
		next := byteAt(text, end)
		longer := next == '.' && isLetter(byteAt(text, end+1)) || next == '/' && end+1 < len(text)
		if !(at > 0 && isNameByte(text[at-1])) && !isNameByte(next) && !longer {
			return true
		}
		from = at + 1
	}
}

func isNameByte(c byte) bool { return c >= '0' && c <= '9' || isLetter(c) || c == '_' }

var moduleSeparators = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\s./:>›»#]+`) })

// asModule writes the parts of a path, of a module's name or of a trail of folders alike.
func asModule(text string) string {
	return strings.Trim(moduleSeparators().ReplaceAllString(text, "/"), "/")
}

var numberBehind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^0-9/.\n]{1,12}(\d+(?:[-–:]\d+)?)`) })

// linesBehind returns the lines that a text begins with, in whatever words.
func linesBehind(text string) lineRange {
	number := numberBehind().FindStringSubmatch(text)
	if number == nil {
		return lineRange{}
	}
	return parseRange(number[1])
}
