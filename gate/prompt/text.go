package prompt

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// size returns how many bytes a prompt has at most, without its units.
func (f frame) size() int {
	const anyNumber = 1_000_000_000
	var u unit
	one := entries{text: []byte("\n"), ids: []string{""}}
	u.summary = one.text
	u.changed = len(f.in.New)+len(f.in.Seen) > 0
	if len(f.in.New) > 0 {
		u.new = shownPart{one.text, one.text}
	}
	if len(f.in.Seen) > 0 {
		u.seen = shownPart{one.text, one.text}
	}
	if len(f.in.Claims) > 0 {
		u.claims = one
	}
	if len(f.in.Disputed) > 0 {
		u.disputed = one
	}
	if len(f.in.Known) > 0 {
		u.known = one
		if own := slices.IndexFunc(f.in.Known, func(k Known) bool { return k.Own }); own >= 0 {
			u.known.ids = []string{f.in.Known[own].ShortID}
		}
	}
	return len(f.prompt([]unit{u}, anyNumber, anyNumber).Text)
}

// own reports whether the slot itself reported one of the open problems that are listed.
func (f frame) own(listed []string) bool {
	return slices.ContainsFunc(f.in.Known, func(k Known) bool { return k.Own && slices.Contains(listed, k.ShortID) })
}

// prompt returns one of several prompts.
func (f frame) prompt(units []unit, part, parts int) Prompt {
	var all unit
	p := Prompt{Fence: f.fence, limit: f.in.Limit}
	for _, u := range units {
		all.new.join(u.new)
		all.seen.join(u.seen)
		all.claims.join(u.claims)
		all.disputed.join(u.disputed)
		all.known.join(u.known)
		if u.changed {
			p.Files = append(p.Files, u.path)
			all.summary = append(all.summary, u.summary...)
		}
	}
	p.Claims, p.Disputed, p.Known = all.claims.ids, all.disputed.ids, all.known.ids
	text := filled{Prompt: p, In: f.in, Closed: closed(f.in.Closed), Seen: all.seen.size() > 0 && f.in.Answered, Own: f.own(p.Known), Summary: string(all.summary)}
	var b bytes.Buffer
	text.write(&b, "introduction")
	text.writeChange(&b, part, parts)
	f.writeDiff(&b, all.new, all.seen)
	text.write(&b, "task")
	f.writeChecks(&b)
	for _, said := range []struct {
		name string
		text []byte
	}{{"claims", all.claims.text}, {"disputed", all.disputed.text}, {"known", all.known.text}} {
		if len(said.text) > 0 {
			text.write(&b, said.name)
			writeData(&b, "", f.more, said.text)
			if said.name == "known" && f.in.MoreKnown > 0 {
				fmt.Fprintf(&b, "\n%d more are known and not shown.\n", f.in.MoreKnown)
			}
		}
	}
	text.write(&b, "report")
	text.write(&b, "answer")
	p.Text = b.Bytes()
	return p
}

// writeChange writes what the change is for, what it touches, and who reviews it. It names all
// gates, including this one, so that the words are the same in all their prompts.
func (f filled) writeChange(b *bytes.Buffer, part, parts int) {
	var data bytes.Buffer
	f.write(&data, "data")
	var about []string
	if entry := f.In.EntryPoint; entry != "" && entry != "." {
		about = append(about, fmt.Sprintf("Under review is what changed in `%s`.", displayed(entry)))
		if f.In.WholeFiles {
			about[0] = fmt.Sprintf("Under review are files in `%s`.", displayed(entry))
		}
	}
	if parts > 1 {
		about = append(about, fmt.Sprintf("It is reviewed in %d parts, split by file, each in a call of its own. This is part %d.", parts, part))
	}
	if line := gatesLine(f.In.Gates); line != "" {
		about = append(about, line)
	}
	if data.Len() == 0 && len(about) == 0 {
		return
	}
	b.WriteString("\n# The change\n\n")
	if len(about) > 0 {
		b.WriteString(strings.Join(about, " ") + "\n")
	}
	if data.Len() > 0 {
		if len(about) > 0 {
			b.WriteString("\n")
		}
		writeData(b, "", f.Fence, data.Bytes())
	}
}

// closed names the folders that a reviewer must not read.
func closed(folders []string) string {
	folders = append(slices.Clone(folders), ".code-review")
	for i, folder := range folders {
		folders[i] = "`" + displayed(folder) + "`"
	}
	last := len(folders) - 1
	if last == 0 {
		return folders[0]
	}
	return strings.Join(folders[:last], ", ") + " and " + folders[last]
}

// gatesLine names the gates with what each covers, if there are several, or several parts.
func gatesLine(gates []Gate) string {
	var names []string
	parts := 0
	for _, gate := range gates {
		parts += max(1, len(gate.Covers))
		name := oneLine(gate.Name)
		if len(gate.Covers) > 0 {
			var covers []string
			for _, entry := range gate.Covers {
				covers = append(covers, "`"+oneLine(displayed(entry))+"`")
			}
			name += " (" + strings.Join(covers, ", ") + ")"
		}
		names = append(names, name)
	}
	if parts < 2 {
		return ""
	}
	slices.Sort(names)
	return "Gates that review it: " + strings.Join(names, ", ") + "."
}

// writeChecks writes how the checks ended when they ran last.
func (f frame) writeChecks(b *bytes.Buffer) {
	if len(f.in.Checks) == 0 {
		return
	}
	b.WriteString("\nThe checks, and how each ended when it ran last:\n\n")
	var list bytes.Buffer
	for _, c := range f.in.Checks {
		line := "- " + oneLine(c.Name) + ": "
		switch {
		case c.Ended == "":
			line += "has not ended yet"
		case c.Pending:
			line += "has not ended in this iteration yet; last time it " + oneLine(c.Ended)
		default:
			line += oneLine(c.Ended)
		}
		if c.Ended != "" && c.Tree != "" {
			line += ", on tree " + c.Tree
		}
		list.WriteString(line + "\n")
		if c.Excerpt != "" {
			list.WriteString("  | " + indented(c.Excerpt) + "\n")
		}
	}
	writeData(b, "", f.more, list.Bytes())
}

func (f frame) writeDiff(b *bytes.Buffer, unseen, seen shownPart) {
	divided := f.in.Answered && !f.in.WholeFiles
	if unseen.size()+seen.size() == 0 && !divided {
		return
	}
	if f.in.WholeFiles {
		writeData(b, "\n# The files\n\nLines begin with their number.\n\n", f.fence, unseen.text)
		return
	}
	b.WriteString("\n# The diff\n\nLines begin with their number in the file as it is now; removed lines have none.")
	if f.in.Verify {
		b.WriteString(" It holds what changed since the review.")
	}
	b.WriteString("\n\n")
	if !divided {
		writeData(b, "", f.fence, unseen.text)
		return
	}
	b.WriteString("## New since your last answer\n\n")
	switch {
	case unseen.size() > 0:
		writeData(b, "", f.fence, slices.Concat(unseen.files, []byte("\n"), unseen.text))
	case len(f.in.New) > 0:
		b.WriteString("Nothing in this part.\n")
	default:
		b.WriteString(strings.TrimSpace("Nothing. "+f.in.Why) + "\n")
	}
	if seen.size() > 0 {
		writeData(b, "\n## Seen by you before\n\n", f.fence, slices.Concat(seen.files, []byte("\n"), seen.text))
	}
}

func writeData(b *bytes.Buffer, heading, fence string, data []byte) {
	b.WriteString(heading)
	fmt.Fprintf(b, "BEGIN %[1]s\n%[2]sEND %[1]s\n", fence, data)
}
