package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/schema"
	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/config"
)

// Schemas of what reviewers answer. The others are those of files.
const (
	schemaOfAnswer     = "answer"
	schemaOfCodeReview = "answer-code-review"
)

func schemaNames() []string {
	return slices.Concat([]string{schemaOfAnswer, schemaOfCodeReview}, schema.Names(), config.Schemas())
}

// schemaData returns the schema with a name of schemaNames.
func schemaData(name string) ([]byte, error) {
	switch name {
	case schemaOfAnswer:
		return answer.Schema(answer.SchemaOptions{}), nil
	case schemaOfCodeReview:
		return answer.Schema(answer.SchemaOptions{CodeReview: true}), nil
	}
	if slices.Contains(config.Schemas(), name) {
		return config.Schema(name)
	}
	return schema.Of(name)
}

func newSchemaCommand(global *globalOptions) *cobra.Command {
	names := strings.Join(schemaNames(), " or ")
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of a file, or of a reviewer's answer",
		Long: `Print a JSON Schema (draft 2020-12): of the form in which reviewers answer, and of
the form in a code review; of the JSON file of a slot; of the verdict file of a code
review; or of the files that people write, for completion in editors: config
(.gauntlet/config.yml), check (.gauntlet/checks/*.yml) and review (the frontmatter of
.gauntlet/reviews/*.md). docs/editors.md says where editors look for them.

Names: ` + strings.Join(schemaNames()[:4], ", ") + `,
` + strings.Join(schemaNames()[4:], ", ") + `.`,
		Example: "  reviewledger schema answer\n  reviewledger schema verdict\n  reviewledger schema config",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("missing or unknown schema: use %s", names)
			}
			if !slices.Contains(schemaNames(), args[0]) {
				return usageError("unknown schema %q: use %s", args[0], names)
			}
			return nil
		},
		ValidArgs: schemaNames(),
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := schemaData(args[0])
			if err != nil {
				return err
			}
			_, err = global.stdout.Write(data)
			return err
		},
	}
}
