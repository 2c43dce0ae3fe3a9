package filters

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Value is the value of a flag: its type, how to format it and how to parse it. It implements
// [pflag.Value].
type Value struct {
	kind string
	get  func() string
	read func(text string) error
}

// String implements [pflag.Value].
func (v Value) String() string { return v.get() }

// Set implements [pflag.Value].
func (v Value) Set(text string) error { return v.read(text) }

// Type implements [pflag.Value].
func (v Value) Type() string { return v.kind }

var errEmpty = errors.New("must not be empty: give it a value or omit it")

// notEmpty rejects an empty text. An empty value, such as that of an unset shell variable, would
// silently match everything.
func notEmpty(read func(text string)) func(text string) error {
	return func(text string) error {
		if text == "" {
			return errEmpty
		}
		read(text)
		return nil
	}
}

// Text returns the value of a flag that is a text.
func Text(value *string) Value {
	return Value{"string", func() string { return *value }, notEmpty(func(text string) { *value = text })}
}

// Texts returns the value of a flag that can be repeated, each time with a text.
func Texts(values *[]string) Value {
	return Value{"string", func() string { return strings.Join(*values, ",") }, notEmpty(func(text string) { *values = append(*values, text) })}
}

// AllWorktrees stands for all worktrees in place of a folder.
const AllWorktrees = "all"

// folder returns the value of a flag that is a folder. It is stored as in the ledger: absolute, and
// without symbolic links if it exists.
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

// Number returns the value of a flag that is an integer, 1 or greater.
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

// AddLimit adds the flag for the maximum number of rows.
func AddLimit(flags *pflag.FlagSet, limit *int, usual int) {
	flags.IntVar(limit, "limit", usual, "maximum number (0 = no limit)")
}
