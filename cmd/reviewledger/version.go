package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// version is the version of a release: .ci/release sets it when it links the program.
var version string

func newVersionCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of the program, the commit that it was built from, the date
of that commit, and the versions of Go and SQLite in it.

Exit codes: 0 done.`,
		Example: "  reviewledger version",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := programVersion()
			return printOne(global, f, v, func(p *text.Page) error {
				p.Line("%s", v)
				return nil
			})
		},
	}
	addAnswer(global, cmd, &f)
	return cmd
}

// versionJSON says what the program was built from.
type versionJSON struct {
	Version     string  `json:"version"`
	Commit      *string `json:"commit"`
	CommittedAt *string `json:"committed_at"`
	Modified    bool    `json:"modified"`
	Go          string  `json:"go"`
	SQLite      string  `json:"sqlite"`
}

// moduleVersion returns the version of the program.
func moduleVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "(devel)"
}

// releaseVersion returns the version of a released program, or "" for any other.
func releaseVersion() string {
	if version := moduleVersion(); version != "(devel)" {
		return version
	}
	return ""
}

func programVersion() versionJSON {
	var settings []debug.BuildSetting
	if info, ok := debug.ReadBuildInfo(); ok {
		settings = info.Settings
	}
	return builtFrom(settings)
}

// builtFrom returns the version of a program with these settings.
func builtFrom(settings []debug.BuildSetting) versionJSON {
	v := versionJSON{Version: moduleVersion(), Go: runtime.Version(), SQLite: store.SQLiteVersion}
	for _, setting := range settings {
		switch setting.Key {
		case "vcs.revision":
			v.Commit = &setting.Value
		case "vcs.time":
			v.CommittedAt = &setting.Value
		case "vcs.modified":
			v.Modified = setting.Value == "true"
		}
	}
	return v
}

// String returns the version on one line.
func (v versionJSON) String() string {
	return fmt.Sprintf("reviewledger %s, commit %s, %s, SQLite %s", v.Version, v.commit(), v.Go, v.SQLite)
}

// commit returns the commit that the program was built from, with its date.
func (v versionJSON) commit() string {
	commit := "unknown"
	if v.Commit != nil {
		commit = *v.Commit
	}
	if v.CommittedAt != nil {
		day, _, _ := strings.Cut(*v.CommittedAt, "T")
		commit += " of " + day
	}
	if v.Modified {
		commit += " with changes"
	}
	return commit
}
