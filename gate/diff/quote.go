package diff

import (
	"bytes"
	"fmt"
	"strings"
)

// quoted returns the path in double quotes, as git reads it in its configuration and in
// lists of folders.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// unquote returns the name that git printed as name. Git puts a name that holds
// control characters, quotes or backslashes in double quotes, in the way of C.
func unquote(name []byte) (string, error) {
	if len(name) == 0 || name[0] != '"' {
		return string(name), nil
	}
	if len(name) < 2 || name[len(name)-1] != '"' {
		return "", fmt.Errorf("the name %q has no closing quote", shorten(name))
	}
	quoted := name[1 : len(name)-1]
	plain := make([]byte, 0, len(quoted))
	for len(quoted) > 0 {
		c, size := unquoteByte(quoted)
		if size == 0 {
			return "", fmt.Errorf("the name %q is not quoted as git does", shorten(name))
		}
		plain = append(plain, c)
		quoted = quoted[size:]
	}
	return string(plain), nil
}

// unquoteByte returns the first byte that quoted stands for and how many bytes it
// takes there, which is 0 if quoted is malformed.
func unquoteByte(quoted []byte) (c byte, size int) {
	const (
		letters = `abtnvfr"\`
		meaning = "\a\b\t\n\v\f\r\"\\"
	)
	switch {
	case quoted[0] == '"':
		return 0, 0
	case quoted[0] != '\\':
		return quoted[0], 1
	case len(quoted) < 2:
		return 0, 0
	}
	if i := bytes.IndexByte([]byte(letters), quoted[1]); i >= 0 {
		return meaning[i], 2
	}
	if len(quoted) < 4 || quoted[1] > '3' {
		return 0, 0
	}
	for _, digit := range quoted[1:4] {
		if digit < '0' || digit > '7' {
			return 0, 0
		}
		c = c<<3 | (digit - '0')
	}
	return c, 4
}
