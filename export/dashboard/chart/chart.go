// Package chart computes charts: the position of each mark of a bar chart, sparkline or treemap.
// Widths are per cent and heights are pixels, so that without a script a chart fills any width
// while its text and strokes keep their size.
//
// It produces numbers, and markup that consists of numbers and constants. Foreign text (titles,
// labels, addresses) is passed through to templates, which escape it. The package is pure.
package chart

import (
	"html/template"
	"math"
	"strconv"
	"strings"
)

// Tone is the color of a mark by its meaning: a class of the style sheet.
type Tone string

// Tones.
const (
	Open     Tone = "open"
	Reopened Tone = "reopened"
	Claimed  Tone = "claimed"
	Verified Tone = "verified"
	Skipped  Tone = "skipped"
	Accent   Tone = "accent"
	Muted    Tone = "muted"
	Track    Tone = "track"
)

// Fill is how a mark is filled. Neighbors in a stack have different fills, so that color is never
// the only difference.
type Fill int

// Fills. Muted and Track are always solid.
const (
	Solid Fill = iota
	Hatched
	Outlined
)

// Paint is the look of the marks of a series.
type Paint struct {
	Tone Tone
	Fill Fill
}

// class returns the paint as attributes of a mark.
func (p Paint) class() string {
	switch p.Fill {
	case Hatched:
		return `class="hh k-` + string(p.Tone) + `" fill="url(#h-` + string(p.Tone) + `)"`
	case Outlined:
		return `class="f-` + string(p.Tone) + ` o"`
	}
	return `class="f-` + string(p.Tone) + `"`
}

// Swatch returns the paint for a legend, as the content of a 12 by 12 drawing.
func (p Paint) Swatch() template.HTML {
	var m marks
	m.rect(p, "0", "0", "12", "12")
	return m.html()
}

// marks builds the content of a drawing.
type marks struct{ strings.Builder }

func (m *marks) html() template.HTML { return template.HTML(m.String()) }

func (m *marks) rect(p Paint, x, y, width, height string) {
	m.WriteString(`<rect ` + p.class() + ` x="` + x + `" y="` + y + `" width="` + width + `" height="` + height + `"/>`)
}

func (m *marks) line(class, x1, x2, y1, y2 string) {
	m.WriteString(`<line class="` + class + `" x1="` + x1 + `" x2="` + x2 + `" y1="` + y1 + `" y2="` + y2 + `"/>`)
}

func (m *marks) dot(tone Tone, x, y, r string) {
	m.WriteString(`<circle class="f-` + string(tone) + `" cx="` + x + `" cy="` + y + `" r="` + r + `"/>`)
}

// path draws several outlines as one shape, or nothing if there are none.
func (m *marks) path(tone Tone, outlines string) {
	if outlines != "" {
		m.WriteString(`<path class="f-` + string(tone) + `" d="` + outlines + `"/>`)
	}
}

// px formats a number for an attribute, with at most two decimals.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// pct formats a share of the width.
func pct(share float64) string { return px(100*share) + "%" }

// ratio returns part divided by whole, or 0 if the whole is not positive.
func ratio(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

// Ticks returns the values at which an axis from 0 to the largest value is marked, except 0: at
// most three multiples of 1, 2 or 5 times a power of ten, none of them above the largest value. If
// values are whole, so are the ticks.
func Ticks(largest float64, whole bool) []float64 {
	if largest <= 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10(largest))-1)
	for _, factor := range []float64{1, 2, 5, 10, 20, 50, 100} {
		if n := math.Floor(largest / (step * factor) * (1 + 1e-9)); n <= 3 && (!whole || step*factor >= 1) {
			step *= factor
			break
		}
	}
	var ticks []float64
	for i := 1; i <= 3 && float64(i)*step <= largest*(1+1e-9); i++ {
		ticks = append(ticks, float64(i)*step)
	}
	return ticks
}

// tickLabel formats a value of an axis with its unit in front. From 10,000 on, values are in
// thousands, and so on.
func tickLabel(v float64, unit string) string {
	for _, scale := range []struct {
		from, by float64
		suffix   string
	}{{1e10, 1e9, "G"}, {1e7, 1e6, "M"}, {1e4, 1e3, "k"}} {
		if v >= scale.from {
			return unit + strconv.FormatFloat(v/scale.by, 'f', -1, 64) + scale.suffix
		}
	}
	digits := 6 // further digits are rounding errors of additions
	if v > 0 {
		digits -= int(math.Ceil(math.Log10(v)))
	}
	shown := strconv.FormatFloat(v, 'f', max(0, digits), 64)
	if strings.Contains(shown, ".") {
		shown = strings.TrimRight(strings.TrimRight(shown, "0"), ".")
	}
	if _, decimals, _ := strings.Cut(shown, "."); unit == "$" && len(decimals) == 1 {
		shown += "0" // cents
	}
	return unit + shown
}
