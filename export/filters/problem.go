package filters

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

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
			args[i] = ledger.DidYouMean(value, prefix)
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
	return Errorf("unknown %s \"%s\"%s", what, Flag(name), suggestions(ledger.Closest(name, names)))
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
