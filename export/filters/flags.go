package filters

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Value is the value of a flag: what kind it is, what it is now, and how a text is read as it. It
// implements pflag.Value.
type Value struct {
	kind string
	get  func() string
	read func(text string) error
}

// String, Set and Type implement pflag.Value.
func (v Value) String() string { return v.get() }

func (v Value) Set(text string) error { return v.read(text) }

func (v Value) Type() string { return v.kind }

var errEmpty = errors.New("must not be empty: give it a value or omit it")

// notEmpty reads a text that must not be empty: an empty value, such as that of a shell variable
// that is not set, would silently choose everything.
func notEmpty(read func(text string)) func(text string) error {
	return func(text string) error {
		if text == "" {
			return errEmpty
		}
		read(text)
		return nil
	}
}

// Text is a flag that holds a text.
func Text(value *string) Value {
	return Value{"string", func() string { return *value }, notEmpty(func(text string) { *value = text })}
}

// Texts is a flag that may be given several times, each time with a text.
func Texts(values *[]string) Value {
	return Value{"string", func() string { return strings.Join(*values, ",") }, notEmpty(func(text string) { *values = append(*values, text) })}
}

// AllWorktrees stands for all worktrees in the place of a folder.
const AllWorktrees = "all"

// folder is a flag that holds a folder, as the ledger has it: absolute, and
// without symbolic links where it is there.
func folder(value *string) Value {
	return Value{"string", func() string { return *value }, func(text string) (err error) {
		if text == "" {
			return errEmpty
		}
		if *value = text; text == AllWorktrees {
			return nil
		}
		if *value, err = filepath.Abs(text); err != nil {
			return err
		}
		if real, err := filepath.EvalSymlinks(*value); err == nil {
			*value = real
		}
		return nil
	}}
}

// Number is a flag that holds a whole number, 1 or greater.
func Number(value *int) Value {
	shown := func() string {
		if *value == 0 {
			return ""
		}
		return strconv.Itoa(*value)
	}
	return Value{"int", shown, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return errors.New("use a number, 1 or greater")
		}
		*value = n
		return nil
	}}
}

// AddLimit adds the flag that says how many rows are listed at most.
func AddLimit(flags *pflag.FlagSet, limit *int, usual int) {
	flags.IntVar(limit, "limit", usual, "maximum number (0 = no limit)")
}
