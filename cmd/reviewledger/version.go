package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/ledger/store"
)

// version is the version of a release: .ci/release sets it when it links the program.
var version string

func newVersionCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of the program, the commit that it was built from, the date
of that commit, and the versions of Go and SQLite in it.

Exit codes: 0 done.`,
		Example: "  reviewledger version",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(global.stdout, versionText())
			return err
		},
	}
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

func versionText() string {
	var settings []debug.BuildSetting
	if info, ok := debug.ReadBuildInfo(); ok {
		settings = info.Settings
	}
	return fmt.Sprintf("reviewledger %s, commit %s, %s, SQLite %s", moduleVersion(), commitText(settings), runtime.Version(), store.SQLiteVersion)
}

// commitText returns the commit that a program was built from, with its date.
func commitText(settings []debug.BuildSetting) string {
	commit, date, dirty := "unknown", "", ""
	for _, setting := range settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value
		case setting.Key == "vcs.time":
			day, _, _ := strings.Cut(setting.Value, "T")
			date = " of " + day
		case setting.Key == "vcs.modified" && setting.Value == "true":
			dirty = " with changes"
		}
	}
	return commit + date + dirty
}
