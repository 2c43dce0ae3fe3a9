package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/internal/files"
)

func newManCommand(*globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write man pages",
		Long: `Write a man page for each command into a folder, which is created if it does not
exist. Pages that are there are replaced.`,
		Example: "  reviewledger man ./man1",
		Args:    oneArg("a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeManPages(cmd.Root(), args[0])
		},
	}
}

func writeManPages(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("create the folder %q for man pages: %w", dir, err)
	}
	for _, cmd := range visible(root) {
		if err := files.WriteNamed(filepath.Join(dir, manName(cmd)+".1"), manPage(cmd)); err != nil {
			return err
		}
	}
	return nil
}

// visible returns a command and all commands below it that the help lists.
func visible(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, below := range cmd.Commands() {
		if !below.Hidden {
			list = append(list, visible(below)...)
		}
	}
	return list
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage returns a command's man page in roff.
func manPage(cmd *cobra.Command) []byte {
	cmd.InitDefaultHelpFlag()
	var b bytes.Buffer
	section := func(title string) { fmt.Fprintf(&b, ".SH %s\n", title) }
	literal := func(text string) { fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(text)) }
	fmt.Fprintf(&b, ".TH %q 1 \"\" \"reviewledger\"\n", strings.ToUpper(manName(cmd)))
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	section("SYNOPSIS")
	fmt.Fprintf(&b, "\\fB%s\\fR\n", roff(cmd.UseLine()))
	about, codes := helpOf(cmd, helpWidth)
	section("DESCRIPTION")
	literal(about)
	own, chosen := splitFlags(cmd)
	for _, flags := range []struct {
		title, about string
		set          *pflag.FlagSet
	}{{"OPTIONS", "", own}, {"FILTERS", aboutFilters, chosen}, {"GLOBAL OPTIONS", "", cmd.InheritedFlags()}} {
		if flags.set.HasAvailableFlags() {
			section(flags.title)
			if flags.about != "" {
				fmt.Fprintln(&b, roff(flags.about))
			}
			manFlags(&b, flags.set)
		}
	}
	if cmd.Example != "" {
		section("EXAMPLES")
		literal(cmd.Example)
	}
	section("EXIT STATUS")
	literal(strings.TrimSpace(strings.TrimPrefix(codes, "Exit codes:")))
	manSeeAlso(&b, cmd)
	return b.Bytes()
}

func manFlags(b *bytes.Buffer, set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		names := "--" + f.Name
		if f.Shorthand != "" {
			names = "-" + f.Shorthand + ", " + names
		}
		if value != "" {
			value = " \\fI" + roff(value) + "\\fR"
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR%s\n%s\n", roff(names), value, roff(usage))
	})
}

func manSeeAlso(b *bytes.Buffer, cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, manName(cmd.Parent()))
	}
	for _, below := range cmd.Commands() {
		if !below.Hidden {
			pages = append(pages, manName(below))
		}
	}
	for i, page := range pages {
		pages[i] = "\\fB" + roff(page) + "\\fR(1)"
	}
	if len(pages) > 0 {
		fmt.Fprintf(b, ".SH SEE ALSO\n%s\n", strings.Join(pages, ", "))
	}
}

// roff escapes everything in a text that a formatter of man pages would interpret.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
