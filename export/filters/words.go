package filters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// wordsType is the type of a flag that can be repeated.
const wordsType = "words"

// Words returns the value of a flag that is any number of words out of a list. The flag can be
// repeated, and several words can be joined by commas.
func Words[T ~string](values *[]T, allowed []T) Value {
	return Value{wordsType, func() string { return strings.Join(texts(*values), ",") }, func(text string) error {
		for _, word := range strings.Split(text, ",") {
			known, err := among(word, allowed)
			if err != nil {
				return err
			}
			*values = append(*values, known)
		}
		return nil
	}}
}

// Word returns the value of a flag that is one word out of a list.
func Word[T ~string](value *T, allowed []T) Value {
	return Value{"word", func() string { return string(*value) }, func(text string) error {
		word, err := among(text, allowed)
		if err == nil {
			*value = word
		}
		return err
	}}
}

// Choice is [Word] for a short list that the placeholder in the help shows. Case matters.
func Choice[T ~string](value *T, allowed []T) Value {
	return Value{strings.Join(texts(allowed), "|"), func() string { return string(*value) }, func(text string) error {
		if !slices.Contains(allowed, T(text)) {
			return fmt.Errorf("use %s", ledger.OneOf(allowed))
		}
		*value = T(text)
		return nil
	}}
}

// among finds a word in a list, ignoring case.
func among[T ~string](word string, allowed []T) (T, error) {
	word = strings.TrimSpace(word)
	i := slices.IndexFunc(allowed, func(a T) bool { return strings.EqualFold(string(a), word) })
	if i < 0 {
		return "", fmt.Errorf("use %s", ledger.OneOf(allowed))
	}
	return allowed[i], nil
}

func texts[T ~string](words []T) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = string(word)
	}
	return list
}
