package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/schema"
)

func newSchemaCommand(global *globalOptions) *cobra.Command {
	names := strings.Join(schema.Names(), "|")
	return &cobra.Command{
		Use:   "schema " + names,
		Short: "Print the JSON Schema of an output file",
		Long: `Print a JSON Schema (draft 2020-12): of the verdict file of a code review, or of
the JSON file of a slot.

Exit codes: 0 done, 2 error.`,
		Example: "  reviewledger schema verdict",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("missing or unknown schema: use %s", strings.ReplaceAll(names, "|", " or "))
			}
			return nil
		},
		ValidArgs: schema.Names(),
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := schema.Of(args[0])
			if err != nil {
				return usageError("%v", err)
			}
			_, err = global.stdout.Write(data)
			return err
		},
	}
}
