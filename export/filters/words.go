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
	Values  *[]T // where they go
	Allowed []T
}

// String, Set and Type implement pflag.Value.
func (f *Words[T]) String() string {
	if f.Values == nil {
		return ""
	}
	return strings.Join(texts(*f.Values), ",")
}

func (f *Words[T]) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		allowed, err := among(word, f.Allowed)
		if err != nil {
			return err
		}
		*f.Values = append(*f.Values, allowed)
	}
	return nil
}

// among finds a word in a list, in whatever case it is given.
func among[T ~string](word string, allowed []T) (T, error) {
	word = strings.TrimSpace(word)
	i := slices.IndexFunc(allowed, func(a T) bool { return strings.EqualFold(string(a), word) })
	if i < 0 {
		return "", fmt.Errorf("use %s", OneOf(allowed))
	}
	return allowed[i], nil
}

// OneOf is words as a sentence has them: "a, b or c".
func OneOf[T ~string](words []T) string {
	list, last := texts(words), len(words)-1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

func texts[T ~string](words []T) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = string(word)
	}
	return list
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
	word, err := among(text, f.Allowed)
	if err == nil {
		*f.Value = word
	}
	return err
}

func (f *Word[T]) Type() string { return "word" }
