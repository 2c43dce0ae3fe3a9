package slotfiles_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/ledger"
)

func TestNames(t *testing.T) {
	t.Parallel()
	got := []string{
		slotfiles.SlotName("review:src:code-quality", "claude", 1, 2),
		slotfiles.SlotLogName("review:src:code-quality", "my/cli", 3, 12),
		slotfiles.SlotJSONName("review:src:code-quality", "claude", 1, 2),
		slotfiles.CheckLogName("check:src:lint", 4),
		slotfiles.ConsoleLogName(7),
	}
	want := []string{
		"review_src_code-quality_claude@1.2",
		"review_src_code-quality_my_cli@3.12.log",
		"review_src_code-quality_claude@1.2.json",
		"check_src_lint.4.log",
		"console.7.log",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestParseName(t *testing.T) {
	t.Parallel()
	const log, json = slotfiles.LogExt, slotfiles.JSONExt
	for base, want := range map[string]slotfiles.Name{
		"review_src_code-quality_claude@1.2.json": {Kind: slotfiles.NameReview, Prefix: "review_src_code-quality_claude", Slot: 1, Iteration: 2, Ext: json},
		"review_src_q_claude@12.30.log":           {Kind: slotfiles.NameReview, Prefix: "review_src_q_claude", Slot: 12, Iteration: 30, Ext: log},
		"review_src_q_v1.5@2.3.log":               {Kind: slotfiles.NameReview, Prefix: "review_src_q_v1.5", Slot: 2, Iteration: 3, Ext: log},
		"review_src_claude.1.json":                {Kind: slotfiles.NameReview, Prefix: "review_src_claude", Slot: 1, Iteration: 1, Ext: json},
		"check_src_go1.22.3.log":                  {Kind: slotfiles.NameCheck, Prefix: "check_src_go1.22", Iteration: 3, Ext: log},
		"console.3.log":                           {Kind: slotfiles.NameConsole, Prefix: "console", Iteration: 3, Ext: log},
		"console.3.json":                          {Kind: slotfiles.NameUnknown, Prefix: "console", Iteration: 3, Ext: json},
		"debug.5.log":                             {Kind: slotfiles.NameUnknown, Prefix: "debug", Iteration: 5, Ext: log},
		"review_.5.log":                           {Kind: slotfiles.NameUnknown, Prefix: "review_", Iteration: 5, Ext: log},
		"review_a_b@0.5.log":                      {Kind: slotfiles.NameUnknown, Prefix: "review_a_b@0", Iteration: 5, Ext: log},
		"review_a_b@x.5.log":                      {Kind: slotfiles.NameUnknown, Prefix: "review_a_b@x", Iteration: 5, Ext: log},
		"review_a_b@1@2.5.log":                    {Kind: slotfiles.NameUnknown, Prefix: "review_a_b@1@2", Iteration: 5, Ext: log},
		"review_a b@1.5.log":                      {Kind: slotfiles.NameUnknown, Prefix: "review_a b@1", Iteration: 5, Ext: log},
		"check_a_b@1.5.log":                       {Kind: slotfiles.NameUnknown, Prefix: "check_a_b@1", Iteration: 5, Ext: log},
		"check_a.1000000000.log":                  {Kind: slotfiles.NameCheck, Prefix: "check_a", Iteration: 1_000_000_000, Ext: log},
	} {
		got, ok := slotfiles.ParseName(base)
		if !ok {
			t.Errorf("ParseName(%q) did not accept the name", base)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ParseName(%q) (-want +got):\n%s", base, diff)
		}
	}
}

func TestParseNameRefuses(t *testing.T) {
	t.Parallel()
	for _, base := range []string{
		"", ".log", ".1.log", "1.log", "x.log", "review_a_b@1.json", "review_a_b@1.2.txt",
		"review_a_b@1.0.json", "review_a_b@1.-2.json", "review_a_b@1.+2.json", "review_a_b@1.02.json",
		"review_a_b@1.1000000001.json", "review_a_b@1.99999999999999999999.json",
		".review_a_b@1.2.json", ".reviewledger-tmp-X", "review_a_b@1.2.json.bak", "check_a.1 .log",
	} {
		if name, ok := slotfiles.ParseName(base); ok {
			t.Errorf("ParseName(%q) = %+v, want no name", base, name)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	jobs := []string{
		"check_src_lint", "review_src_code", "review_src_code_quality", "review_api_security",
		"review_lib_a", "review_lib_b",
	}
	tests := []struct {
		name, prefix, fileID, adapter string
		known                         bool
	}{
		{"job and adapter", "review_src_code_claude", "review_src_code", "claude", true},
		{"longest job", "review_src_code_quality_claude", "review_src_code_quality", "claude", true},
		{"underscore in the adapter", "review_src_code_my_cli", "review_src_code", "my_cli", true},
		{"the job alone", "review_src_code_quality", "review_src_code_quality", "", true},
		{"no underscore after the job", "review_src_codex_claude", "review_src_codex", "claude", false},
		{"older name, one gate", "review_api_claude", "review_api_security", "claude", true},
		{"older name, two gates", "review_lib_claude", "review_lib", "claude", false},
		{"unknown job", "review_old_style_my_cli", "review_old_style_my", "cli", false},
		{"no adapter", "review_x", "review_x", "", false},
	}
	for _, test := range tests {
		fileID, adapter, known := slotfiles.Split(test.prefix, jobs)
		if fileID != test.fileID || adapter != test.adapter || known != test.known {
			t.Errorf("%s: Split(%q) = %q, %q, %v, want %q, %q, %v", test.name, test.prefix,
				fileID, adapter, known, test.fileID, test.adapter, test.known)
		}
	}
}

func TestSplitCountsAJobOnce(t *testing.T) {
	t.Parallel()
	fileID, adapter, known := slotfiles.Split("review_api_claude", []string{"review_api_x", "review_api_x"})
	if fileID != "review_api_x" || adapter != "claude" || !known {
		t.Errorf("got %q, %q, %v", fileID, adapter, known)
	}
}

// Every name can be rebuilt from its parts.
func FuzzParseName(f *testing.F) {
	for _, seed := range []string{
		"review_src_q_claude@1.2.json", "review_src_claude.1.log", "check_a.1.2.log",
		"console.3.log", "x.99999999999.log", "review_a@@1.1.log", ".1.log",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, base string) {
		name, ok := slotfiles.ParseName(base)
		if !ok {
			return
		}
		end := "." + strconv.Itoa(name.Iteration) + name.Ext
		plain := name.Prefix + end
		indexed := name.Prefix + "@" + strconv.Itoa(name.Slot) + end
		if base != plain && (name.Kind != slotfiles.NameReview || base != indexed) {
			t.Errorf("ParseName(%q) = %+v", base, name)
		}
	})
}

// Every written name is parsed back, whatever the job and the adapter are called.
func FuzzWrittenName(f *testing.F) {
	f.Add("src:code-quality", "claude", 1, 2)
	f.Add("a_b@3:c.1", "my_cli@7", 1_000_000_000, 1)
	f.Fuzz(func(t *testing.T, job, adapter string, slot, iteration int) {
		const most = 1_000_000_000
		if slot < 1 || slot > most || iteration < 1 || iteration > most {
			return
		}
		job = "review:" + job
		name, ok := slotfiles.ParseName(slotfiles.SlotJSONName(job, adapter, slot, iteration))
		want := slotfiles.Name{
			Kind:   slotfiles.NameReview,
			Prefix: ledger.Sanitize(job) + "_" + ledger.Sanitize(adapter),
			Slot:   slot, Iteration: iteration, Ext: slotfiles.JSONExt,
		}
		if !ok || name != want {
			t.Fatalf("ParseName = %+v, %v, want %+v", name, ok, want)
		}
		fileID, gotAdapter, known := slotfiles.Split(name.Prefix, []string{"review_other", ledger.Sanitize(job)})
		if job != "review:other" && (!known || fileID+"_"+gotAdapter != name.Prefix) {
			t.Errorf("Split(%q) = %q, %q, %v", name.Prefix, fileID, gotAdapter, known)
		}
	})
}
