package slots

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/reviewledger/reviewledger/ledger"
)

// denial is how a reviewer says in a sentence that something is not fixed.
var denial = sync.OnceValue(func() *regexp.Regexp {
	const degree = `(?:(?:yet|fully|really|actually|properly|completely|entirely|been|correctly)\s+)*`
	return regexp.MustCompile(`(?:still\s+)*(?:not|never|n['’]t)\s*` + degree + `(?:` + fixedWords + `|(?:fix|resolve|address|correct|solve|verify|confirm)\b)` +
		`|\bun(?:fixed|resolved|addressed|solved)` +
		`|(?:unable|failed) to (?:verify|confirm)` +
		`|\bre-?open|\bpersists|\b(?:partly|partially)\s+` + fixedWords +
		`|"[^"\n]*(?:remaining|still ?open|outstanding)[^"\n]*"\s*:` +
		`|\b(?:still|remains)\s+(?:present|there|here|open|exist|leak|fail|broken|occur|happen|reproduc|vulnerable|missing|not|wrong|in the code|a problem|an issue|the case)` +
		`|` + foreignDenial)
})

// foreignDenial is the same in other languages in which models answer.
const foreignDenial = `nicht (?:\pL+ )?(?:behoben|gelöst|korrigiert|repariert|gefixt)|(?:noch|weiterhin) (?:vorhanden|offen|da\b)|besteht (?:noch|weiter)` +
	`|pas (?:\pL+ )?(?:corrigé|résolu|réparé|traité)|non (?:corrigé|résolu)|toujours (?:présent|là\b|ouvert)` +
	`|\bno (?:está|esta|ha sido|fue|se ha) (?:\pL+ )?(?:corregid|resuelt|arreglad|solucionad)|sigue (?:presente|abiert|ahí|sin )|sin (?:corregir|resolver|arreglar)` +
	`|não (?:foi|está) (?:corrigid|resolvid)|ainda (?:presente|existe)|non è (?:stat[oa] )?(?:corrett|risolt)|ancora presente` +
	`|(?:未|没有|沒有)(?:被|得到|完全)*(?:修复|解决|修正|处理|修復|解決)|(?:仍|依)然?存在|(?:尚未|还没)` +
	`|(?:修正|解決|対応|修復)(?:は|が)?(?:され|し)て(?:い)?(?:ません|ない)|未(?:修正|解決|対応)|まだ(?:残って|存在)` +
	`|(?:수정|해결)되지 ?않|미해결` +
	`|не (?:был[аои]? )?(?:исправлен|устранен|устранён|решен|решён)`

// doubt is what speaks against a fix unless the same words say that it is one.
var doubt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:still|can still|continues? to)\s+(?:appl|affect|possible|un\w+|crash|panic|needs|lacks|incorrect|unsafe|can|valid|hold)` +
		`|\bcan still\b|\bremains\s*(?:[.,;!)]|$)` +
		`|\b(?:is|was|remains|code is)\s+(?:unchanged|untouched|incomplete|insufficient|incorrect|wrong|ineffective)` +
		`|\b(?:fix|change|patch|check)(?:\s+(?:is|was|seems|looks))?\s+(?:not |n['’]t )?(?:\w+ly )?(?:incomplete|wrong|insufficient|incorrect|partial|broken|missing|added|implemented|enough|sufficient)` +
		`|(?:not|never|n['’]t)\s+(?:been\s+)?(?:added|implemented|applied|sufficient|enough|complete)` +
		`|\bno (?:fix|change)s?\b[^.\n]{0,12}\b(?:made|found|seen|applied)|\b(?:needs?|requires?) (?:more|further|additional) work|\bnot \w+ enough|\bregressed`)
})

// confirmation is how a reviewer says that something is fixed.
var confirmation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b` + fixedWords + `\b|\bno (?:longer|issues?|problems?|bugs?)\b|[✅✓✔]|\b(?:behoben|corrigé|résolu|correct now|works now)\b|已修复|已解决|исправлен`)
})

// label is a heading, or a line that ends with a colon, of what is not fixed.
var label = sync.OnceValue(func() *regexp.Regexp {
	const kinds = `(?:claims?|issues?|problems?|findings?|violations?|items?|bugs?)`
	return regexp.MustCompile(`^[^\pL\pN"{}]*(?:(?:the|previous|previously reported|reported|earlier) )*(?:` + kinds + ` )?(?:still )?` +
		`(?:not (?:yet )?` + fixedWords + `|un(?:fixed|resolved|verified|addressed)|open|remaining|outstanding|failed|failing|pending|re-?opened|rejected|incomplete)` +
		`(?: ` + kinds + `)?[^\pL\pN"]*$`)
})

// underDenial reports whether the mention is what a label introduces, on its line or as an
// item of a list below it.
func (m mention) underDenial() bool {
	line := m.before[strings.LastIndexByte(m.before, '\n')+1:]
	after, _, _ := strings.Cut(m.after, "\n")
	if confirmation().MatchString(plainKeys(line + after)) {
		return false
	}
	if at := strings.LastIndexByte(line, ':'); at >= 0 && label().MatchString(line[:at]) {
		return true
	}
	if strings.Trim(line, " \t0123456789.)*+-•[]`'\"") != "" {
		return false
	}
	lines := strings.Split(m.before, "\n")
	for i := len(lines) - 2; i >= 0; i-- {
		above := strings.TrimSpace(lines[i])
		if strings.HasPrefix(above, "#") || strings.HasPrefix(above, "**") || strings.HasSuffix(above, ":") {
			return label().MatchString(strings.TrimSuffix(above, ":"))
		}
	}
	return false
}

// contradiction is evidence that begins by saying that the claim is not fixed: then a word
// that it is cannot be read.
var contradiction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\W*(?:no[,:.;!]|not (?:yet |fully |really |actually )?` + fixedWords + `\b|un(?:fixed|resolved)\b` +
		`|still (?:present|there|broken|not|open|fails|vulnerable|missing)\b|(?:only )?(?:partly|partially) ` + fixedWords + `|incomplete\b|the fix is (?:incomplete|wrong)\b)`)
})

// minWords is how many words a claim must have to be known by them.
const minWords = 3

// deniedInWords returns the words around the claim's own words that say that it is not
// fixed, or "".
func deniedInWords(lower, issue string) string {
	words := strings.FieldsFunc(strings.ToLower(issue), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	const most = 60
	if len(words) < minWords {
		return ""
	}
	words = words[:min(len(words), most)]
	if !strings.Contains(lower, words[0]) {
		return ""
	}
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	said, err := regexp.Compile(strings.Join(words, `[^\pL\pN]{1,12}`))
	if err != nil {
		return ""
	}
	for _, at := range said.FindAllStringIndex(lower, maxMentions) {
		if m := sentenceAt(lower, at[0], at[1]); m.deniesSentence() {
			return m.words()
		}
	}
	return ""
}

// deniedAtPlace returns the words around the name of a claim's place that say that it is
// not fixed, or "".
func deniedAtPlace(lower string, places []ledger.Place) string {
	for _, place := range places {
		file := strings.ToLower(place.File)
		if place.WholeFile() || !strings.Contains(lower, file) {
			continue
		}
		named := regexp.MustCompile(regexp.QuoteMeta(file) + `["'` + "`" + `*)\]]*[ \t,:#([|]*(?:"?line"?[ :=]*|l)?(\d{1,9})`)
		for _, at := range named.FindAllStringSubmatchIndex(lower, maxMentions) {
			line, _ := strconv.Atoi(lower[at[2]:at[3]]) // at most nine digits
			if line < place.Start || line > place.End {
				continue
			}
			m, whole := sentenceAt(lower, at[0], at[1]), mentionAt(lower, at[0], at[1])
			if m.deniesSentence() || deniedByMember().MatchString(plainKeys(whole.object())) || listedAsOpen().MatchString(plainKeys(whole.before)) {
				return m.words()
			}
		}
	}
	return ""
}

// listedAsOpen is the text before the place of the first object under a key for what is not
// fixed.
var listedAsOpen = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"[^"]*(?:still ?open|remaining|not ?fixed|unfixed|unresolved|outstanding|re-?opened)[^"]*"\s*:\s*\[?\s*\{[^{}]*$`)
})

// sentenceAt is a part of the text as a mention, with what stands around it on its line and
// within its string.
func sentenceAt(lower string, start, end int) mention {
	before, after := lower[max(0, start-readBefore):start], lower[end:min(len(lower), end+readAfter)]
	if cut := max(strings.LastIndexAny(before, "{}"), strings.LastIndex(before, `",`)); cut >= 0 {
		before = before[cut+1:]
	}
	if cut := strings.IndexAny(after, "{}"); cut >= 0 {
		after = after[:cut]
	}
	if cut := strings.Index(after, `",`); cut >= 0 {
		after = after[:cut]
	}
	return mention{before: before, id: lower[start:end], after: after}
}

// deniesSentence is [mention.denies] for a mention that may be part of a longer text.
func (m mention) deniesSentence() bool {
	words := plainKeys(m.words())
	after, _, _ := strings.Cut(m.after, "\n")
	around := plainKeys(m.before[strings.LastIndexByte(m.before, '\n')+1:] + "…" + after)
	return denial().MatchString(around) && !confirmation().MatchString(withoutDenials(around)) || m.underDenial() ||
		unticked().MatchString(words) || deniedByValue().MatchString(plainKeys(m.after))
}

// unticked is an item of a list that is marked as not done.
var unticked = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\s>*+-]*(?:\[ \]|[❌✗✘✖🔴])`) })

// withoutDenials takes denials out of a text, so that what it confirms can be seen.
func withoutDenials(text string) string { return denial().ReplaceAllString(text, " … ") }

// deniedTogether returns the sentence that says of all claims, or of the only one, that they
// are not fixed, or "".
func deniedTogether(lower string, claims int) string {
	if m := together().FindString(lower); m != "" {
		return strings.TrimSpace(m)
	}
	if claims != 1 {
		return ""
	}
	for _, sentence := range sentences().FindAllString(lower, -1) {
		if plain := plainKeys(sentence); subject().MatchString(plain) && denial().MatchString(plain) && !confirmation().MatchString(withoutDenials(plain)) {
			return strings.TrimSpace(sentence)
		}
	}
	return ""
}

var (
	together = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:nothing|none|neither|no claims?|not all|not every)\b[^.,;:\n"]{0,60}\b(?:was|were|is|are|has|have|been|got)\b[^.,;:\n"]{0,12}\b` + fixedWords + `\b`)
	})
	sentences = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^.;\n"{}]{1,400}`) })
	// subject is how a reviewer speaks of the claim that it was asked about.
	subject = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:the claim|(?:previous(?:ly)?|earlier|claimed|reported|original)\b(?: \w+){0,2} (?:claim|issue|problem|bug|finding|violation|defect|vulnerability)|previously reported\b)`)
	})
)
