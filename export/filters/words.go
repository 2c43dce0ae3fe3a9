package filters

import (
	"fmt"
	"slices"
	"strings"
)

// wordsType is the type of a flag that may be given several times.
const wordsType = "words"

// Words is a flag that may be given several times, or hold several words
// joined by commas, out of a fixed list.
type Words[T ~string] struct {
	Values  *[]T // where they go; nil where only the list is asked for
	Allowed []T
}

// String, Set and Type implement pflag.Value.
func (f *Words[T]) String() string {
	if f.Values == nil {
		return ""
	}
	var texts []string
	for _, word := range *f.Values {
		texts = append(texts, string(word))
	}
	return strings.Join(texts, ",")
}

func (f *Words[T]) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		word := T(strings.ToLower(strings.TrimSpace(word)))
		if !f.allows(word) {
			return fmt.Errorf("use %s", f.List())
		}
		*f.Values = append(*f.Values, word)
	}
	return nil
}

func (f *Words[T]) allows(word T) bool {
	return slices.Contains(f.Allowed, word)
}

// List is the allowed words as a sentence has them.
func (f *Words[T]) List() string { return OneOf(f.Allowed) }

// OneOf is words as a sentence has them: "a, b or c".
func OneOf[T ~string](words []T) string {
	var texts []string
	for _, word := range words {
		texts = append(texts, string(word))
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

func (f *Words[T]) Type() string { return wordsType }

// Word is a flag that is one word out of a fixed list.
type Word[T ~string] struct {
	Value   *T
	Allowed []T
}

// String, Set and Type implement pflag.Value.
func (f *Word[T]) String() string {
	if f.Value == nil {
		return ""
	}
	return string(*f.Value)
}

func (f *Word[T]) Set(text string) error {
	word := T(strings.ToLower(strings.TrimSpace(text)))
	if !slices.Contains(f.Allowed, word) {
		return fmt.Errorf("use %s", OneOf(f.Allowed))
	}
	*f.Value = word
	return nil
}

func (f *Word[T]) Type() string { return "word" }
