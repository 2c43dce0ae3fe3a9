package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		largest float64
		whole   bool
		want    string
	}{
		{0, true, "[]"}, {1, true, "[1]"}, {2, true, "[1 2]"}, {3, true, "[1 2 3]"}, {4, true, "[2 4]"}, {16, true, "[5 10 15]"}, {19.5, false, "[5 10 15]"},
		{42, true, "[20 40]"}, {178, true, "[50 100 150]"}, {1000, true, "[500 1000]"}, {0.4, false, "[0.2 0.4]"}, {1e12, true, "[5e+11 1e+12]"},
		{math.Inf(1), true, "[]"}, {math.NaN(), true, "[]"}, {-3, true, "[]"},
	} {
		if got := fmt.Sprint(Ticks(c.largest, c.whole)); got != c.want {
			t.Errorf("Ticks(%v, %v) = %s, want %s", c.largest, c.whole, got, c.want)
		}
	}
	for largest := 1.0; largest < 1e7; largest *= 1.07 {
		ticks := Ticks(largest, true)
		if len(ticks) == 0 || len(ticks) > 3 || ticks[len(ticks)-1] > largest*(1+1e-9) {
			t.Errorf("Ticks(%v) = %v", largest, ticks)
		}
	}
}

func TestTickLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{{0, "$", "$0"}, {150, "", "150"}, {9999, "", "9999"}, {10000, "", "10k"}, {2.5e6, "", "2500k"}, {2e7, "$", "$20M"}, {.2, "$", "$0.20"}, {.1 + .2, "$", "$0.30"}, {.00005, "$", "$0.00005"}, {.15, "$", "$0.15"}, {2.5, "", "2.5"}} {
		if got := tickLabel(c.v, c.unit); got != c.want {
			t.Errorf("tickLabel(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

// diverging is the chart of opened and closed violations, with two weeks: 100 and 50 up, 20 down.
func diverging() Bars {
	return Bars{
		Height: 192, Whole: true,
		Series: []Series{{Paint: Paint{Tone: Open}}, {Paint: Paint{Tone: Reopened, Fill: Hatched}}, {Paint: Paint{Tone: Verified}, Down: true}},
		Bands:  []Band{{Values: []float64{80, 20, 20}, Href: "/"}, {Values: []float64{50, 0, 0}, Partial: true}},
	}
}

func TestBarsShareOneScaleUpAndDown(t *testing.T) {
	t.Parallel()
	p := diverging().Plot()
	// 172 pixels without the labels and 12 of headroom leave 160 for 100 up and 20 down.
	if p.Zero != "145.33" || p.Hit != "172" || p.Foot != "188" {
		t.Errorf("zero %s, hit %s, foot %s", p.Zero, p.Hit, p.Foot)
	}
	want := `<rect class="f-open" x="9%" y="38.67" width="32%" height="106.67"/>` +
		`<rect class="hh k-reopened" fill="url(#h-reopened)" x="9%" y="12" width="32%" height="26.67"/>` +
		`<rect class="f-verified" x="9%" y="145.33" width="32%" height="26.67"/>`
	if got := string(p.Drawn[0].Marks); got != want {
		t.Errorf("first bar:\n%s\nwant\n%s", got, want)
	}
	if strings.Count(string(p.Drawn[1].Marks), "<rect") != 1 {
		t.Errorf("a part of zero is drawn: %s", p.Drawn[1].Marks)
	}
	for _, tick := range p.Ticks {
		if tick.Zero != (tick.Label == "0") {
			t.Errorf("tick %+v", tick)
		}
	}
}

func TestBarsKeepLinksLabelsAndCoverageInBounds(t *testing.T) {
	t.Parallel()
	b := diverging()
	b.Bands = slices.Repeat(b.Bands[:1], 31)
	p := b.Plot()
	labels := 0
	for _, d := range p.Drawn {
		if d.Labeled {
			labels++
		}
	}
	if p.Links || labels > 6 {
		t.Errorf("31 bands: links %v, %d labels", p.Links, labels)
	}
	cost := Bars{Height: 146, Coverage: true, Series: []Series{{Paint: Paint{Tone: Accent}}}, Bands: []Band{{Values: []float64{4}, Known: .5}, {Values: []float64{0}, Gap: true, Known: -1}}}
	drawn := cost.Plot().Drawn
	if want := `<rect class="f-muted" x="9%" y="118" width="16%" height="5"/>`; !strings.Contains(string(drawn[0].Marks), want) {
		t.Errorf("coverage: %s", drawn[0].Marks)
	}
	if drawn[1].Marks != "" {
		t.Errorf("a week without calls has a strip: %s", drawn[1].Marks)
	}
	empty := Bars{Height: 100}.Plot()
	if empty.Zero != "80" || len(empty.Drawn) != 0 {
		t.Errorf("no bands: %+v", empty)
	}
}

func TestSparks(t *testing.T) {
	t.Parallel()
	if got, want := string(Spark([]int{3, 0}, 6, Open)), `<path class="f-open" d="M0 18v-8h10v8z"/><path class="f-muted" d="M12 18.5v-1.5h10v1.5z"/>`; got != want {
		t.Errorf("spark %s, want %s", got, want)
	}
	if n := strings.Count(string(Spark(make([]int, 5000), 1, Open)), "M"); n != 32 {
		t.Errorf("5000 values are %d bars", n)
	}
	if got := thinned([]int{1, 9, 2, 3}, 2); !slices.Equal(got, []int{9, 3}) {
		t.Errorf("thinned %v", got)
	}
	strip := string(Strip(append(make([]bool, 40), true)))
	if strings.Count(strip, "M") != stripLength || !strings.Contains(strip, `<path class="f-reopened" d="M177.87 18v-16h4.13v16z"/>`) {
		t.Errorf("strip %s", strip)
	}
	if got := string(Interval(.2, .5, .9)); !strings.Contains(got, `cx="50%"`) || !strings.Contains(got, `x1="20%" x2="90%"`) {
		t.Errorf("interval %s", got)
	}
	if got := string(Spread(1, 4, 8)); !strings.Contains(got, `cx="12.5%"`) || !strings.Contains(got, `x1="50%" x2="50%" y1="0"`) {
		t.Errorf("spread %s", got)
	}
	if marks, top := Burn([]Part{{2, Paint{Tone: Claimed, Fill: Outlined}}, {2, Paint{Tone: Open}}}, 8); top != "47" || strings.Count(string(marks), `height="16"`) != 2 {
		t.Errorf("burn %s, number at %s", marks, top)
	}
}

func TestSquarifyFillsItsBox(t *testing.T) {
	t.Parallel()
	for _, sizes := range [][]float64{{1}, {6, 6, 4, 3, 2, 2, 1}, {1000, 1, 1, 1}, slices.Repeat([]float64{1}, 300)} {
		in := box{10, 20, 600, 400}
		total, area := 0.0, 0.0
		for _, size := range sizes {
			total += size
		}
		places := squarify(sizes, in)
		for i, p := range places {
			area += p.w * p.h
			if want := sizes[i] / total * in.w * in.h; math.Abs(p.w*p.h-want) > 1e-6*want+1e-9 {
				t.Errorf("%v: cell %d has the area %v, want %v", sizes, i, p.w*p.h, want)
			}
			const e = 1e-6
			if p.x < in.x-e || p.y < in.y-e || p.x+p.w > in.x+in.w+e || p.y+p.h > in.y+in.h+e {
				t.Errorf("%v: cell %d lies outside: %+v", sizes, i, p)
			}
			for j, q := range places[:i] {
				if min(p.x+p.w, q.x+q.w)-max(p.x, q.x) > e && min(p.y+p.h, q.y+q.h)-max(p.y, q.y) > e {
					t.Errorf("%v: cells %d and %d overlap", sizes, i, j)
				}
			}
		}
		if len(places) != len(sizes) || math.Abs(area-in.w*in.h) > 1e-3 {
			t.Errorf("%v: %d cells of area %v", sizes, len(places), area)
		}
	}
	// The example of the paper: the first row has the two sizes of 6, above each other.
	places := squarify([]float64{6, 6, 4, 3, 2, 2, 1}, box{0, 0, 6, 4})
	if places[0] != (box{0, 0, 3, 2}) || places[1] != (box{0, 2, 3, 2}) {
		t.Errorf("first row %v", places[:2])
	}
}

func TestTreemapShowsFoldersAndTextThatFits(t *testing.T) {
	t.Parallel()
	tree := Treemap([]Leaf{
		{Folder: "api/", Name: "small.go", Note: "1", Size: 1}, {Folder: "web/", Name: "a.ts", Note: "60, 2 open", Size: 60},
		{Folder: "api/", Name: strings.Repeat("long", 100), Note: "40", Size: 40}, {Folder: "none/", Name: "x", Size: 0},
	}, 1166, 340, false)
	if len(tree.Folders) != 2 || tree.Folders[0].Name != "web/" || len(tree.Cells) != 3 {
		t.Fatalf("tree %+v", tree)
	}
	if c := tree.Cells[0]; c.Line1 != "a.ts" || c.Line2 != "60, 2 open" {
		t.Errorf("first cell %+v", c)
	}
	if c := tree.Cells[1]; c.Line1 != "40" || c.Line2 != "" {
		t.Errorf("cell with a name that does not fit: %+v", c)
	}
}

func TestUnitsStandOnTheAxis(t *testing.T) {
	t.Parallel()
	u := NewUnits("u", "Verdicts", []Column{{Label: "31 Aug", Units: make([]Unit, 3)}, {Units: make([]Unit, 1)}})
	if u.Axis != "72" || u.Height != 94 || len(u.Drawn) != 4 || u.Drawn[0].Y != "50" || u.Drawn[2].Y != "6" || u.Drawn[3].X != "75%" {
		t.Errorf("units %+v", u)
	}
}
