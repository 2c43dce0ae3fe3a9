package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/ledger/store"
)

func newVersionCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of the program, the commit that it was built from, and the
versions of Go and SQLite in it.

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
	commit, dirty := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			switch {
			case setting.Key == "vcs.revision":
				commit = setting.Value
			case setting.Key == "vcs.modified" && setting.Value == "true":
				dirty = " with changes"
			}
		}
	}
	return fmt.Sprintf("reviewledger %s, commit %s%s, %s, SQLite %s", moduleVersion(), commit, dirty, runtime.Version(), store.SQLiteVersion)
}
