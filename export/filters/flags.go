package filters

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Text is a flag that holds a text. It must not be empty: an empty value, such as that of a
// shell variable that is not set, would silently choose everything.
type Text struct{ Value *string }

var errEmpty = errors.New("must not be empty: give it a value or omit it")

// String, Set and Type implement pflag.Value.
func (f Text) String() string {
	if f.Value == nil {
		return ""
	}
	return *f.Value
}

func (f Text) Set(text string) error {
	if text == "" {
		return errEmpty
	}
	*f.Value = text
	return nil
}

func (f Text) Type() string { return "string" }

// Texts is a flag that may be given several times, each time with a text.
type Texts struct{ Values *[]string }

// String, Set and Type implement pflag.Value.
func (f Texts) String() string {
	if f.Values == nil {
		return ""
	}
	return strings.Join(*f.Values, ",")
}

func (f Texts) Set(text string) error {
	if text == "" {
		return errEmpty
	}
	*f.Values = append(*f.Values, text)
	return nil
}

func (f Texts) Type() string { return "string" }

// Folder is a flag that holds a folder, as the ledger has it: absolute, and
// without symbolic links where it is there.
type Folder struct{ Text }

// AllWorktrees stands for all worktrees in the place of a folder.
const AllWorktrees = "all"

// Set implements pflag.Value, with [Text].
func (f Folder) Set(text string) error {
	if err := f.Text.Set(text); err != nil {
		return err
	}
	if text == AllWorktrees {
		return nil
	}
	path, err := filepath.Abs(text)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	*f.Value = path
	return nil
}

// Number is a flag that holds a whole number, 1 or greater.
type Number struct{ Value *int }

// String, Set and Type implement pflag.Value.
func (f Number) String() string {
	if f.Value == nil || *f.Value == 0 {
		return ""
	}
	return strconv.Itoa(*f.Value)
}

func (f Number) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("use a number, 1 or greater")
	}
	*f.Value = n
	return nil
}

func (f Number) Type() string { return "int" }

// Switch is a flag without a value: given alone it is on, given as =false it is off.
type Switch struct{ Value *bool }

// String, Set and Type implement pflag.Value.
func (f Switch) String() string { return strconv.FormatBool(f.Value != nil && *f.Value) }

func (f Switch) Set(text string) (err error) {
	*f.Value, err = strconv.ParseBool(text)
	return err
}

func (f Switch) Type() string { return "bool" }

// AddLimit adds the flag that says how many rows are listed at most.
func AddLimit(flags *pflag.FlagSet, limit *int, usual int) {
	flags.IntVar(limit, "limit", usual, "maximum number (0 = no limit)")
}
