package agent

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Install writes what each host documents, and Remove leaves no trace of it.
func TestInstallAndRemove(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"claude":  "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"reviewledger hook stop --agent claude\",\n            \"timeout\": 30\n          }\n        ]\n      }\n    ]\n  }\n}\n",
		"codex":   "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"reviewledger hook stop --agent codex\",\n            \"timeout\": 30\n          }\n        ]\n      }\n    ]\n  }\n}\n",
		"copilot": "{\n  \"version\": 1,\n  \"hooks\": {\n    \"agentStop\": [\n      {\n        \"type\": \"command\",\n        \"bash\": \"reviewledger hook stop --agent copilot\",\n        \"timeoutSec\": 30\n      }\n    ]\n  }\n}\n",
		"gemini":  "{\n  \"hooks\": {\n    \"AfterAgent\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"reviewledger hook stop --agent gemini\",\n            \"timeout\": 30000\n          }\n        ]\n      }\n    ]\n  }\n}\n",
		"cursor":  "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      {\n        \"command\": \"reviewledger hook stop --agent cursor\",\n        \"loop_limit\": 3\n      }\n    ]\n  }\n}\n",
	}
	for _, h := range Hosts() {
		got, changed, err := h.Install(nil)
		if d := cmp.Diff(want[h.Name], string(got)); d != "" || !changed || err != nil {
			t.Errorf("%s: %s %v %v", h.Name, d, changed, err)
		}
		again, changed, err := h.Install(got)
		if string(again) != string(got) || changed || err != nil {
			t.Errorf("%s: installed twice: %s %v", h.Name, again, err)
		}
		left, changed, err := h.Remove(got)
		if len(left) > 0 || !changed || err != nil {
			t.Errorf("%s: left %s %v", h.Name, left, err)
		}
		if _, changed, err := h.Remove(nil); changed || err != nil {
			t.Errorf("%s: removed from nothing: %v", h.Name, err)
		}
	}
}

// Foreign entries, the order of keys, numbers and escapes stay unchanged.
func TestInstallKeepsForeign(t *testing.T) {
	t.Parallel()
	const foreign = "{\n\t\"zebra\": 1.50,\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"<Bash>\",\n\t\t\t\t\"hooks\": []\n\t\t\t}\n\t\t],\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"say done; reviewledger hook stop --agent claude\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t},\n\t\"apple\": \"\\u00e9\",\n\t\"big\": 12345678901234567890\n}"
	h := host(t, "claude")
	for _, text := range []string{foreign, foreign + "\n"} {
		installed, changed, err := h.Install([]byte(text))
		if err != nil || !changed {
			t.Fatal(changed, err)
		}
		removed, changed, err := h.Remove(installed)
		if d := cmp.Diff(text, string(removed)); d != "" || !changed || err != nil {
			t.Errorf("%s%v", d, err)
		}
	}
	// Another hook that the user added to our group stays.
	const mixed = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"reviewledger hook stop --agent claude"},{"type":"command","command":"mine"}]}]}}`
	removed, _, err := h.Remove([]byte(mixed))
	if installed, _ := h.Installed(removed); installed || err != nil || string(removed) != `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}` {
		t.Errorf("%s %v", removed, err)
	}
}

// Whatever the file looks like, an installation only adds, in one place, and what is removed is only
// that.
func TestInstallChangesNothingElse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{\n    \"a\"   :1 ,\n\n\n  \"b\": [ 1,2 ,\t3 ]\n}\n\n\n", "{\"a\":1,\"b\":{}}", "{ \"a\" : 1 }\n", "\n {\r\n\t\"a\": 1,\r\n\r\n\t\"b\": 2  \r\n}\r\n",
		"{\n  \"hooks\": { \"PreToolUse\": [] , \"Other\": [1,\n2]},\n  \"z\": \"\\u0041\"}",
		"{\n \"hooks\": {\n  \"Stop\": [ {\"hooks\": [{\"command\":\"x\"}]} ]\n }\n}", "{\"hooks\": {\"Stop\": [5,\n\n 6  ]}}", "{\n  \"a\":1.50}",
	} {
		h := host(t, "claude")
		out, changed, err := h.Install([]byte(text))
		if err != nil || !changed {
			t.Fatalf("%q: %v %v", text, changed, err)
		}
		from := 0
		for from < len(text) && text[from] == out[from] {
			from++
		}
		if rest := text[from:]; string(out[:from])+string(out[len(out)-len(rest):]) != text {
			t.Errorf("%q became %q", text, out)
		}
		if back, changed, err := h.Remove(out); string(back) != text || !changed || err != nil {
			t.Errorf("%q came back as %q: %v", text, back, err)
		}
	}
}

func TestInstallLeavesAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{ // mine\n}", "{/* mine */}", "{", "[]", `"x"`, "{} {}", `{"a":1,"a":2}`, `{"hooks":[]}`, `{"hooks":{"Stop":{}}}`, `{"hooks":null}`, "\uFEFF{}", "not JSON",
	} {
		if out, changed, err := host(t, "claude").Install([]byte(text)); !errors.Is(err, ErrLeaveAlone) || changed {
			t.Errorf("%q: %s %v", text, out, err)
		}
	}
}

func FuzzInstall(f *testing.F) {
	f.Add(`{"hooks":{"Stop":[{"hooks":[1,null,{"command":3}]},5]},"x":[]}`)
	f.Add("{\r\n  \"a\": 1\r\n}\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, h := range Hosts() {
			out, changed, err := h.Install([]byte(text))
			if err != nil || !changed {
				continue
			}
			if installed, err := h.Installed(out); !installed || err != nil {
				t.Fatalf("%s: not there after it was installed: %v\n%s", h.Name, err, out)
			}
			if _, changed, err := h.Remove(out); !changed || err != nil {
				t.Fatalf("%s: cannot be removed: %v\n%s", h.Name, err, out)
			}
		}
	})
}

func TestSessions(t *testing.T) {
	t.Parallel()
	s := Sessions{Folder: filepath.Join(t.TempDir(), "hooks"), Now: time.Now()}
	if got, err := s.Load("a"); got != (Session{}) || err != nil {
		t.Fatal(got, err)
	}
	want := Session{Blocks: 2, StateHash: "x"}
	if err := s.Save("a", want); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Load("a"); got != want || err != nil {
		t.Error(got, err)
	}
	if got, err := s.Load("../../a"); got != (Session{}) || err != nil {
		t.Error(got, err)
	}
	if err := s.Snooze("w", s.Now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]bool{"w": true, "v": false} {
		if until, err := s.SnoozedUntil(place); !until.IsZero() != want || err != nil {
			t.Errorf("%s: %v %v", place, until, err)
		}
	}
	later := Sessions{Folder: s.Folder, Now: s.Now.Add(2 * time.Minute)}
	if until, err := later.SnoozedUntil("w"); !until.IsZero() || err != nil {
		t.Error(until, err)
	}
	// The file of another session is removed seven days after it was last written; foreign files
	// stay.
	foreign := filepath.Join(s.Folder, "mine.json")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after time.Duration
		kept  Session
	}{{6 * 24 * time.Hour, want}, {8 * 24 * time.Hour, Session{}}} {
		later.Now = s.Now.Add(tt.after)
		if err := later.Save("b", want); err != nil {
			t.Fatal(err)
		}
		if got, err := later.Load("a"); got != tt.kept || err != nil {
			t.Errorf("after %v: %v %v", tt.after, got, err)
		}
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(s.Folder, stateName(sessionPrefix, "b")), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load("b"); err == nil {
		t.Error("a broken file is read as if it were not there")
	}
}
