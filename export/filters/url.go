package filters

import (
	"errors"
	"maps"
	"net/url"
	"slices"

	"github.com/spf13/pflag"
)

// Parse parses the parameters of a URL as flags of the same names. A parameter without a value is
// ignored: without scripts, a form sends its empty fields too.
func Parse(flags *pflag.FlagSet, parameters url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if flags.Lookup(name) == nil {
			return UnknownFlag(flags, "parameter", name)
		}
		given := slices.DeleteFunc(slices.Clone(parameters[name]), func(value string) bool { return value == "" })
		if len(given) > 1 && flags.Lookup(name).Value.Type() != wordsType {
			return Errorf("%s is given %d times: give it once", Flag(name), len(given))
		}
		for _, value := range given {
			err := flags.Set(name, value)
			if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
				return InvalidValue(invalid)
			}
			if err != nil {
				return Errorf("%s: %v", Flag(name), err)
			}
		}
	}
	return nil
}
