package diff

import "testing"

func TestReadVersion(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"git version 2.39.5": "2.39.5", "git version 2.39.5 (Apple Git-154)": "2.39.5", "hub version 2.14": "2.14", "git version": "", "git": "", "": "",
	} {
		if got, err := readVersion(line); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
}
