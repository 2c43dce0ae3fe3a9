package ledger

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// matchContained matches entries that say what a claim does with more words around them, with
// less of them, or in other marks, where [evaluator.matchWords] looks for the same words:
// "Still not fixed: …", "[high] …", "…" with other quotes. What a short claim says is often
// part of other problems, so that only words that add nothing may stand around it.
//
// Rule: Equal words contradict a claim anywhere in its file.
func (e *evaluator) matchContained() {
	claims := e.claimsByBeginning()
	if len(claims) == 0 {
		return
	}
	var pairs []rankedPair
	for i := range e.reports {
		if !e.free(i) || e.bypasses[i] || e.repeatsOther(i) {
			continue
		}
		for _, k := range claims.saidIn(plainWords(e.reports[i].Title+" . "+e.reports[i].Issue, maxReportWords)) {
			if here, ok := e.placeFor(k, i); ok {
				pairs = append(pairs, rankedPair{e.rank(k, here, e.reports[i].Place), k, i})
			}
		}
	}
	slices.SortFunc(pairs, compareRankedPairs)
	for _, p := range pairs {
		if !e.pair(byWords, p.report, p.known) && e.matched[p.known] < 0 {
			e.contained = append(e.contained, p)
		}
	}
}

// placeFor is the place of the claim that is meant by an entry with its words.
func (e *evaluator) placeFor(known, report int) (here Place, ok bool) {
	k, r := &e.known[known], &e.reports[report]
	places := append(k.ownPlaces(), k.otherPlaces()...)
	places = slices.DeleteFunc(places, func(p Place) bool { return p.File != r.Place.File })
	switch {
	case len(places) > 0:
		return slices.MinFunc(places, func(a, b Place) int { return gap(a, r.Place) - gap(b, r.Place) }), true
	case r.WholeChange:
		return r.Place, true
	}
	return Place{}, false
}

// containedIn finds an entry that has the words of the claim, and of another one with which
// it was matched; -1 if there is none.
func (e *evaluator) containedIn(known int) (report int) {
	for _, p := range e.contained {
		if p.known == known && !e.saidFixed(known) {
			return p.report
		}
	}
	return -1
}

// How many words of a report are looked at, how many of a claim tell what it says, and how
// many of these are compared first. The bounds keep long texts from taking long.
const (
	maxReportWords = 600
	maxClaimWords  = 100
	beginningWords = 3
)

// beginnings are claims by the words that they begin with.
type beginnings map[[beginningWords]string][]saidClaim

type saidClaim struct {
	known int
	words []string
}

func (e *evaluator) claimsByBeginning() beginnings {
	claims := beginnings{}
	for i := range e.known {
		if !e.known[i].claim() || e.matched[i] >= 0 {
			continue
		}
		if words := plainWords(e.known[i].Issue, maxClaimWords); len(words) >= beginningWords {
			key := [beginningWords]string(words)
			claims[key] = append(claims[key], saidClaim{i, words})
		}
	}
	return claims
}

// longClaim is how many words a claim has that is not part of another problem by chance.
const longClaim = 6

// saidIn are the claims that the words say.
func (b beginnings) saidIn(words []string) (claims []int) {
	telling := make([]int, len(words)+1) // how many words before one are no fillers
	for i, word := range words {
		telling[i+1] = telling[i]
		if !fillers()[word] {
			telling[i+1]++
		}
	}
	for at := 0; at+beginningWords <= len(words); at++ {
		list := b[[beginningWords]string(words[at:at+beginningWords])]
		for _, claim := range list[:min(len(list), maxCandidates)] {
			n := claim.common(words[at:])
			adds := telling[at]+telling[len(words)]-telling[at+n] > 0
			if claim.isSaid(n, adds, at+n == len(words)) && !slices.Contains(claims, claim.known) {
				claims = append(claims, claim.known)
			}
		}
	}
	return claims
}

// common is how many words both begin with.
func (c saidClaim) common(words []string) (n int) {
	for n < len(c.words) && n < len(words) && words[n] == c.words[n] {
		n++
	}
	return n
}

// isSaid reports whether the claim is said by its first words, up to the last of the text or
// not, if those around them add something or not: all of it, or most of a long one.
func (c saidClaim) isSaid(said int, adds, toTheEnd bool) bool {
	if said == len(c.words) {
		return !adds || said >= longClaim
	}
	return toTheEnd && !adds && said > beginningWords && 2*said >= len(c.words)
}

var htmlTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</?[a-z][a-z0-9]{0,10}>`) })

// plainWords are the first words of a text, without any marks.
func plainWords(text string, most int) []string {
	text = htmlTag().ReplaceAllString(strings.ToLower(text), "")
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return words[:min(len(words), most)]
}

// fillers are the words with which a reviewer repeats itself.
var fillers = sync.OnceValue(func() map[string]bool {
	return wordSet(`
	a again already an and as at be been before bug by claim claimed critical earlier finding fixed for from has have high
	info is issue it known low major medium minor not now of open original p0 p1 p2 p3 persists present previous previously
	priority problem remains reopened repeat repeated reported severity same see seen still that the there this unfixed
	unresolved verified violation was yet
`)
})
