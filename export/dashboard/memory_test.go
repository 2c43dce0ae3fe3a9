package dashboard

import (
	"errors"
	"testing"
)

// An answer is given again until the ledger changes; an error is not.
func TestRemembered(t *testing.T) {
	t.Parallel()
	asked := 0
	v := &visit{memory: &memory{}, version: "1"}
	ask := func(key string, failed error) int {
		n, _ := remembered(v, key, func() (int, error) {
			asked++
			return asked, failed
		})
		return n
	}
	for _, step := range []struct {
		version, key string
		failed       error
		want         int
	}{
		{"1", "a", nil, 1}, {"1", "a", nil, 1}, {"1", "b", nil, 2}, {"1", "a", nil, 1},
		{"2", "a", errors.New("busy"), 3}, {"2", "a", nil, 4}, {"2", "a", nil, 4}, {"2", "b", nil, 5},
	} {
		if v.version = step.version; ask(step.key, step.failed) != step.want {
			t.Errorf("%+v: asked %d times", step, asked)
		}
	}
	for i := range mostAnswers + 2 {
		ask(string(rune('c'+i)), nil)
	}
	if n := len(v.memory.answers); n > mostAnswers+1 {
		t.Errorf("%d answers are kept", n)
	}
}
