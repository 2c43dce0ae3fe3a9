package main

import (
	"runtime/debug"
	"testing"
)

func TestCommitText(t *testing.T) {
	t.Parallel()
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "c0ffee"}
	at := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-29T06:50:05Z"}
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, "unknown"},
		{[]debug.BuildSetting{revision, at, {Key: "vcs.modified", Value: "false"}}, "c0ffee of 2026-11-29"},
		{[]debug.BuildSetting{revision, at, {Key: "vcs.modified", Value: "true"}}, "c0ffee of 2026-11-29 with changes"},
	} {
		if got := builtFrom(c.settings).commit(); got != c.want {
			t.Errorf("%v: %q, want %q", c.settings, got, c.want)
		}
	}
}
