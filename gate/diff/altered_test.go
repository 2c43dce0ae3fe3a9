package diff

import (
	"strings"
	"testing"
)

// Files are named to which the attributes of any folder above them, or those of the clone, give an
// encoding, a keyword that they have, or a filter that the configuration defines.
//
// Rule: Nothing is left out without a word.
func TestAltered(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		attributes map[string]string // by file
		want       string
	}{
		"none":                 {nil, ""},
		"of the root":          {map[string]string{".gitattributes": "*.c filter=clean\n"}, "f.c=clean in/deep/f.c=clean"},
		"of a folder":          {map[string]string{"in/.gitattributes": "*.c filter=clean\n"}, "in/deep/f.c=clean"},
		"of its folder":        {map[string]string{"in/deep/.gitattributes": "*.c filter=process\n"}, "in/deep/f.c=process"},
		"of another folder":    {map[string]string{"out/.gitattributes": "*.c filter=clean\n"}, ""},
		"of the clone":         {map[string]string{".git/info/attributes": "f.c filter=clean\n"}, "f.c=clean in/deep/f.c=clean"},
		"not defined":          {map[string]string{".gitattributes": "*.c filter=smudge\nin/** filter=none\n"}, ""},
		"without a name":       {map[string]string{".gitattributes": "*.c filter\nin/** -filter\n"}, ""},
		"beside an empty name": {map[string]string{".gitattributes": "f.c filter=\nin/** filter=clean\n"}, "in/deep/f.c=clean"},
		"the keyword":          {map[string]string{".gitattributes": "*.h ident\n"}, "id.h=ident"},
		"no keyword":           {map[string]string{".gitattributes": "*.h -ident\n"}, ""},
		"an encoding":          {map[string]string{".gitattributes": "plain.h working-tree-encoding=UTF-16\nf.c working-tree-encoding=utf-8\n"}, "plain.h=working-tree-encoding UTF-16"},
		"taken back, in part":  {map[string]string{".gitattributes": "*.c filter=clean\n", "in/.gitattributes": "*.c !filter\n"}, "f.c=clean"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.git("config", "filter.clean.clean", "cat")
			s.git("config", "filter.process.process", "false")
			s.git("config", "filter.smudge.smudge", "cat")
			for _, word := range []string{"set", "unset", "unspecified"} { // git's words for what has no name
				s.git("config", "filter."+word+".clean", "cat")
			}
			s.write("f.c", "1\n")
			s.write("in/deep/f.c", "1\n")
			s.write("in/deep/binary", "\x7fELF\x00\x01\x02\x00")
			s.write("id.h", "/* $Id: 0123 $ */\n")
			s.write("plain.h", "/* $Id$ */\n")
			for file, text := range test.attributes {
				s.write(file, text)
			}
			list, err := s.open().Altered(t.Context(), []string{"f.c", "gone.c", "in/deep/f.c", "in/deep/binary", "id.h", "plain.h"})
			var got []string
			for _, file := range list {
				got = append(got, strings.NewReplacer("the git clean filter ", "", "git's ", "", `"`, "").Replace(file.Path+"="+file.By))
			}
			if err != nil || strings.Join(got, " ") != test.want {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
}
