package reviewtest

import "testing"

func TestWantsSchema(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]bool{"x\n# Answer\n\nIn the form.\n": true, "x\n# Answer it\n": false, "x": false, "": false} {
		if got := wantsSchema([]byte(prompt)); got != want {
			t.Errorf("%q must have a schema: %t", prompt, got)
		}
	}
}
