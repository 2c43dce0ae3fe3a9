package chart

import (
	"html/template"
	"slices"
)

const (
	headroom  = 12 // pixels above the largest value
	barShare  = .64
	maxLabels = 6  // approximate number of bands with a label
	maxLinks  = 30 // if there are more bands, only the table has links
)

// Series is one part of every bar.
type Series struct {
	Label string
	Paint Paint
	// Down means that the part grows downwards from zero, on the same scale.
	Down bool
}

// Band is one bar with its texts.
type Band struct {
	Label string // below the axis
	Title string // all its numbers in words
	Href  string // the list of its rows; empty if there are none
	// Values has one value for each series, in their order.
	Values []float64
	// Gap means that there is no data, which is not zero.
	Gap bool
	// Partial means that the values do not cover the whole period of the band.
	Partial bool
	// Known is the known share that the coverage strip shows, if the chart has one. It is negative
	// if there is nothing to be known.
	Known float64
}

// Bars is a chart of bars, stacked in the order of the series.
type Bars struct {
	ID          string // prefix of the IDs of its elements on the page
	Title, Desc string
	Series      []Series
	Bands       []Band
	Height      int    // of the whole chart with its labels, in pixels
	Unit        string // in front of the values of the axis
	Whole       bool   // the values are whole numbers
	Coverage    bool   // a strip below the axis shows the known share
}

// Plot is a chart of bars as the template draws it.
type Plot struct {
	Bars
	Ticks []Tick
	Drawn []DrawnBand
	Zero  string // y of the zero line
	Hit   string // height of the area that reacts to the pointer
	Foot  string // y of the labels below the axis
	Links bool
}

// Tick is a horizontal grid line. The one at zero is drawn as the axis.
type Tick struct {
	Y, LabelY, Label string
	Zero             bool
}

// DrawnBand is a band with the positions of its marks: per cent horizontally, pixels vertically.
type DrawnBand struct {
	Band
	Marks    template.HTML
	X, Width string
	Middle   string
	Labeled  bool
	GapY     string
}

// Plot computes the positions of all marks.
func (b Bars) Plot() Plot {
	bottom := float64(b.Height - 20)
	if b.Coverage {
		bottom -= 12
	}
	up, down := b.extent()
	scale := ratio(bottom-headroom, up+down)
	zero := headroom + up*scale
	if up+down == 0 {
		zero = bottom
	}
	p := Plot{
		Bars: b, Zero: px(zero), Hit: px(bottom), Foot: px(float64(b.Height - 4)), Links: len(b.Bands) <= maxLinks,
		Ticks: []Tick{{Y: px(zero), LabelY: px(zero + 4), Label: tickLabel(0, b.Unit), Zero: true}},
	}
	for _, v := range Ticks(max(up, down), b.Whole) {
		for _, side := range []struct {
			limit, sign float64
		}{{up, -1}, {down, 1}} {
			if v <= side.limit {
				y := zero + side.sign*v*scale
				p.Ticks = append(p.Ticks, Tick{Y: px(y), LabelY: px(y + 4), Label: tickLabel(v, b.Unit)})
			}
		}
	}
	every := (len(b.Bands) + maxLabels - 1) / maxLabels
	width := ratio(1, float64(len(b.Bands)))
	for i, band := range b.Bands {
		left := float64(i) * width
		p.Drawn = append(p.Drawn, DrawnBand{
			Band: band, Marks: b.bar(band, left, width, zero, scale, bottom),
			X: pct(left), Width: pct(width), Middle: pct(left + width/2), GapY: px(zero - 4),
			Labeled: i%every == 0,
		})
	}
	return p
}

// extent returns the largest sum of a bar above zero and below.
func (b Bars) extent() (up, down float64) {
	for _, band := range b.Bands {
		var above, below float64
		for i, v := range band.Values {
			if b.Series[i].Down {
				below += v
			} else {
				above += v
			}
		}
		up, down = max(up, above), max(down, below)
	}
	return up, down
}

func (b Bars) bar(band Band, left, width, zero, scale, bottom float64) template.HTML {
	var m marks
	x, w := pct(left+width*(1-barShare)/2), pct(width*barShare)
	above, below := zero, zero
	for i, v := range band.Values {
		height := v * scale
		switch {
		case v <= 0:
		case b.Series[i].Down:
			m.rect(b.Series[i].Paint, x, px(below), w, px(height))
			below += height
		default:
			above -= height
			m.rect(b.Series[i].Paint, x, px(above), w, px(height))
		}
	}
	if b.Coverage && band.Known >= 0 {
		m.rect(Paint{Tone: Track}, x, px(bottom+4), w, "5")
		m.rect(Paint{Tone: Muted}, x, px(bottom+4), pct(width*barShare*min(1, band.Known)), "5")
	}
	return m.html()
}

// Filled counts the bands with data.
func (b Bars) Filled() int {
	n := 0
	for _, band := range b.Bands {
		if !band.Gap && slices.ContainsFunc(band.Values, func(v float64) bool { return v > 0 }) {
			n++
		}
	}
	return n
}
