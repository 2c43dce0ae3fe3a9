package main

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
)

// textFlag is a flag that holds a text. Where it is given it must say something:
// an empty one, such as of a shell variable that is not set, would silently
// choose everything.
type textFlag struct{ text *string }

// errEmpty is what a [textFlag] says of an empty text.
var errEmpty = errors.New("must not be empty: give it a value or omit it")

// String, Set and Type implement pflag.Value.
func (f textFlag) String() string {
	if f.text == nil {
		return ""
	}
	return *f.text
}

func (f textFlag) Set(text string) error {
	if text == "" {
		return errEmpty
	}
	*f.text = text
	return nil
}

func (f textFlag) Type() string { return "string" }

// textsFlag is a flag that may be given several times, each time with a text.
type textsFlag struct{ texts *[]string }

// String, Set and Type implement pflag.Value.
func (f textsFlag) String() string {
	if f.texts == nil {
		return ""
	}
	return strings.Join(*f.texts, ",")
}

func (f textsFlag) Set(text string) error {
	if text == "" {
		return errEmpty
	}
	*f.texts = append(*f.texts, text)
	return nil
}

func (f textsFlag) Type() string { return "string" }

// folderFlag is a flag that holds a folder, as the ledger has it: absolute, and
// without symbolic links where it is there.
type folderFlag struct{ textFlag }

// Set implements pflag.Value with [textFlag].
func (f folderFlag) Set(text string) error {
	if err := f.textFlag.Set(text); err != nil {
		return err
	}
	path, err := filepath.Abs(text)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	*f.text = path
	return nil
}

// numberFlag is a flag that holds a number from 1 on.
type numberFlag struct{ n *int }

// String, Set and Type implement pflag.Value.
func (f numberFlag) String() string {
	if f.n == nil || *f.n == 0 {
		return ""
	}
	return strconv.Itoa(*f.n)
}

func (f numberFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("use a number, 1 or greater")
	}
	*f.n = n
	return nil
}

func (f numberFlag) Type() string { return "int" }
