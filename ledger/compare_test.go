package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// violationsOf parses violations written as "id fingerprint priority file:line words".
func violationsOf(t *testing.T, text string) (list []ledger.ListedViolation) {
	t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var v ledger.ListedViolation
		var place string
		if _, err := fmt.Sscan(line, &v.ShortID, &v.Fingerprint, &v.Priority, &place); err != nil {
			t.Fatal(err)
		}
		v.Fingerprint = strings.Trim(v.Fingerprint, "-")
		if _, err := fmt.Sscanf(strings.Replace(place, ":", " ", 1), "%s %d", &v.Place.File, &v.Place.Start); err != nil {
			t.Fatal(err)
		}
		_, v.Issue, _ = strings.Cut(line, place+" ")
		list = append(list, v)
	}
	return list
}

func TestCompareViolations(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ a, b, want string }{
		"none":              {"", "", "a: b: both:"},
		"only one":          {"x f1 high a.go:1 Bad", "", "a: x b: both:"},
		"fingerprint":       {"x f1 high a.go:1 Bad", "y f1 low b.go:9 Other words", "a: b: both: x=y"},
		"words":             {"x f1 high a.go:1 Bad  name.", "y f2 high a.go:7 bad Name", "a: b: both: x=y"},
		"words without one": {"x - high a.go:1 Bad!", "y - high a.go:7 bad", "a: b: both: x=y"},
		"other file":        {"x - high a.go:1 Bad", "y - high b.go:1 Bad", "a: x b: y both:"},
		"other words":       {"x - high a.go:1 Bad", "y - high a.go:1 Worse", "a: x b: y both:"},
		"one each":          {"x f1 high a.go:1 Bad", "y f1 high a.go:1 Bad\nz f1 high a.go:2 Bad", "a: b: z both: x=y"},
		"one for two":       {"x f1 high a.go:1 Bad\nw f1 high a.go:2 Bad", "y f1 high a.go:2 Bad", "a: w b: both: x=y"},
		"nearest":           {"x - high a.go:20 Bad", "y - high a.go:1 Bad\nz - high a.go:18 Bad", "a: b: y both: x=z"},
		"fingerprint first": {"w - high a.go:1 Bad\nx f1 high a.go:1 Bad", "y f1 high a.go:1 Bad\nz - high a.go:9 Bad", "a: b: both: w=z x=y"},
		"worst first": {
			"p - low a.go:1 P\nq - critical z.go:1 Q\nr - high b.go:2 R\ns - high b.go:1 S\nt - info c.go:1 T\nu - high c.go:1 U",
			"v - info c.go:1 T\nw - low c.go:1 U",
			"a: q s r p b: both: u=w t=v",
		},
	} {
		c := ledger.CompareViolations(violationsOf(t, test.a), violationsOf(t, test.b))
		got := []string{"a:"}
		for _, v := range c.OnlyA {
			got = append(got, v.ShortID)
		}
		got = append(got, "b:")
		for _, v := range c.OnlyB {
			got = append(got, v.ShortID)
		}
		got = append(got, "both:")
		for _, p := range c.Both {
			got = append(got, p.A.ShortID+"="+p.B.ShortID)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", name, text, test.want)
		}
	}
}
