package filters

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/ledger"
)

// Flag is the name of a flag, without dashes. An [Error] shows it as --name on a command line and
// as name for a URL.
type Flag string

// Error means that the given values are not a valid filter.
type Error struct {
	format string
	args   []any
}

// Errorf returns an error. Arguments of type [Flag] are formatted as names of flags.
func Errorf(format string, args ...any) *Error { return &Error{format, args} }

// Error returns the message for a command line, where flags begin with "--".
func (e *Error) Error() string { return e.Say("--") }

// Say returns the message with the prefix before each name of a flag.
func (e *Error) Say(prefix string) string {
	args := slices.Clone(e.args)
	for i, arg := range args {
		switch value := arg.(type) {
		case Flag:
			args[i] = prefix + string(value)
		case suggestions:
			args[i] = DidYouMean(value, prefix)
		}
	}
	return fmt.Sprintf(e.format, args...)
}

// suggestions are the known flags that are closest to a mistyped one. They are shown with the
// prefix of flags.
type suggestions []string

// UnknownFlag returns the error for a flag that does not exist, with the closest ones that do.
func UnknownFlag(flags *pflag.FlagSet, what, name string) *Error {
	var names []string
	flags.VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	return Errorf("unknown %s \"%s\"%s", what, Flag(name), suggestions(Closest(name, names)))
}

// InvalidValue returns the error for a flag whose value is not valid.
func InvalidValue(invalid *pflag.InvalidValueError) *Error {
	flag, use := invalid.GetFlag(), invalid.Unwrap().Error()
	if errors.Is(invalid, errEmpty) {
		return Errorf("%s %s", Flag(flag.Name), use)
	}
	if errors.Is(invalid, strconv.ErrSyntax) || errors.Is(invalid, strconv.ErrRange) {
		use = "use a number"
		if flag.Value.Type() == "bool" {
			use = "use true or false"
		}
	}
	return Errorf("invalid %s %q: %s", Flag(flag.Name), invalid.GetValue(), use)
}

// DidYouMean returns a question that suggests the names, each with the prefix, or "" without names.
func DidYouMean(names []string, prefix string) string {
	if len(names) == 0 {
		return ""
	}
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", prefix+name))
	}
	return " (did you mean " + strings.Join(quoted, " or ") + "?)"
}

// Closest returns at most three names that word may be a typo or the beginning of, the nearest
// first.
func Closest(word string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	const longest = 100 // no name is this long, so a longer word is not a typo
	if len(word) > longest {
		return nil
	}
	var found []candidate
	for _, name := range names {
		d := ledger.EditDistance(strings.ToLower(word), name)
		near := d <= max(1, len(name)/3)
		if near || len(word) > 1 && strings.HasPrefix(name, strings.ToLower(word)) {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var nearest []string
	for _, c := range found[:min(len(found), 3)] {
		nearest = append(nearest, c.name)
	}
	return nearest
}
