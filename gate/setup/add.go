package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reviewledger/reviewledger/gate/config"
)

// mainReview is the review gate that covers everything. FurtherReviews are about parts of it.
const mainReview = "code-quality"

// FurtherReviews lists the reviews that may be gates of their own.
func FurtherReviews() []string { return []string{"security", "error-handling", "tests"} }

// ReviewFile returns the file of a review.
func ReviewFile(name string, reviewers []string) File {
	return File{config.ReviewsDir + "/" + name + ".md", frontmatter(name, reviewers) + reviewText(name)}
}

var (
	errNoReviews = errors.New(`no entry point has a list of reviews: add "reviews: [NAME]" to one`)
	errNoChecks  = errors.New(`the entry point "." has no list of checks: add "checks: [NAME]" to it`)
)

// AddReviews returns the configuration with the names added to the reviews of the entry points that
// have the gate code-quality, or else of the first one with reviews. Nothing else of the text changes.
func AddReviews(text string, names []string) (string, error) {
	lists, err := gateLists(text, "reviews", "")
	if err != nil {
		return "", err
	}
	with := slices.DeleteFunc(slices.Clone(lists), func(list *yaml.Node) bool { return !hasName(list, mainReview) })
	if len(with) == 0 {
		with = lists[:min(len(lists), 1)]
	}
	return addNames(text, with, names, errNoReviews)
}

// AddChecks does the same with the checks of the entry point for the whole repository.
func AddChecks(text string, names []string) (string, error) {
	lists, err := gateLists(text, "checks", ".")
	if err != nil {
		return "", err
	}
	return addNames(text, lists[:min(len(lists), 1)], names, errNoChecks)
}

// addNames adds the names that are missing to lists in the text. It returns none if there are no lists.
func addNames(text string, lists []*yaml.Node, names []string, none error) (string, error) {
	if len(lists) == 0 {
		return "", none
	}
	lines := strings.SplitAfter(text, "\n")
	for _, list := range slices.Backward(lists) { // from the end, so that positions stay
		missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return hasName(list, name) })
		if len(missing) == 0 {
			continue
		}
		if !insert(lines, list, missing) {
			return "", fmt.Errorf("the list in line %d cannot be extended without changing more: add %s to it", list.Line, strings.Join(missing, ", "))
		}
	}
	return strings.Join(lines, ""), nil
}

// hasName reports whether a list has a name.
func hasName(list *yaml.Node, name string) bool {
	return slices.ContainsFunc(list.Content, func(n *yaml.Node) bool { return n.Value == name })
}

// gateLists returns the lists of gates of the entry points, or of those with a path, that are not
// empty and are in the text itself.
func gateLists(text, key, at string) (lists []*yaml.Node, err error) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil || len(root.Content) == 0 {
		return nil, err
	}
	for _, entry := range valueOf(root.Content[0], "entry_points").Content {
		list := valueOf(entry, key)
		if list.Kind == yaml.SequenceNode && len(list.Content) > 0 && (at == "" || valueOf(entry, "path").Value == at) {
			lists = append(lists, list)
		}
	}
	return lists, nil
}

// valueOf returns the value of a key, or an empty node.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for n := 0; mapping.Kind == yaml.MappingNode && n+1 < len(mapping.Content); n += 2 {
		if mapping.Content[n].Value == key {
			return mapping.Content[n+1]
		}
	}
	return &yaml.Node{}
}

// insert adds names after the last item of a list. It reports whether it could.
func insert(lines []string, list *yaml.Node, names []string) bool {
	last := list.Content[len(list.Content)-1]
	if last.Kind != yaml.ScalarNode {
		return false
	}
	line := &lines[last.Line-1]
	if list.Style&yaml.FlowStyle == 0 {
		body := strings.TrimRight(*line, "\r\n")
		before, ending := body[:min(last.Column-1, len(body))], (*line)[len(body):]
		if strings.Trim(before, " \t-") != "" {
			return false
		}
		if ending == "" {
			ending = "\n"
			*line += ending
		}
		for _, name := range names {
			*line += before + name + ending
		}
		return true
	}
	characters := []rune(*line)
	at := last.Column - 1
	if at >= len(characters) {
		return false
	}
	end := at + len([]rune(last.Value))
	if last.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		end += 2
	}
	if end > len(characters) || strings.Trim(string(characters[at:end]), `"'`) != last.Value {
		return false
	}
	*line = string(characters[:end]) + ", " + strings.Join(names, ", ") + string(characters[end:])
	return true
}
