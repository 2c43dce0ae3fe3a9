// Package chart computes charts: where each mark of a bar chart, a sparkline or a
// treemap lies. Widths are in per cent and heights in pixels, so that a chart fills
// any width while its text and its strokes keep their size, without a script.
//
// What it makes are numbers, and marks of numbers and of its own words. Foreign text
// (titles, labels, addresses) is only passed through, for templates that escape it. The
// package is pure.
package chart

import (
	"html/template"
	"math"
	"strconv"
	"strings"
)

// Tone is the colour of a mark, by what it stands for: a class of the style sheet.
type Tone string

// The tones.
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

// Fill is how a mark is filled. Neighbours in a stack differ in it, so that colour
// is never the only difference.
type Fill int

// The fills. Muted and Track are always solid.
const (
	Solid Fill = iota
	Hatched
	Outlined
)

// Paint is how the marks of a series look.
type Paint struct {
	Tone Tone
	Fill Fill
}

// class is the paint in the attributes of a mark.
func (p Paint) class() string {
	switch p.Fill {
	case Hatched:
		return `class="hh k-` + string(p.Tone) + `" fill="url(#h-` + string(p.Tone) + `)"`
	case Outlined:
		return `class="f-` + string(p.Tone) + ` o"`
	}
	return `class="f-` + string(p.Tone) + `"`
}

// Swatch is the paint in a legend, as the content of a 12 by 12 drawing.
func (p Paint) Swatch() template.HTML {
	var m marks
	m.rect(p, "0", "0", "12", "12")
	return m.html()
}

// marks is the content of a drawing.
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

// path is one shape of several outlines; none is drawn where there are none.
func (m *marks) path(tone Tone, outlines string) {
	if outlines != "" {
		m.WriteString(`<path class="f-` + string(tone) + `" d="` + outlines + `"/>`)
	}
}

// px is a number as attributes have it: with two decimals at most.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// pct is a share of the width.
func pct(share float64) string { return px(100*share) + "%" }

// ratio is the part of the whole, and 0 where there is no whole.
func ratio(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

// Ticks are the values that an axis from 0 to the largest value is marked at, 0
// apart: multiples of 1, 2 or 5 times a power of ten, at most three, none above the
// data. Values that are whole have whole ticks.
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

// tickLabel is a value on an axis, with its unit before it: 10,000 and more are
// counted in thousands, and so on.
func tickLabel(v float64, unit string) string {
	for _, scale := range []struct {
		from, by float64
		suffix   string
	}{{1e10, 1e9, "G"}, {1e7, 1e6, "M"}, {1e4, 1e3, "k"}} {
		if v >= scale.from {
			return unit + strconv.FormatFloat(v/scale.by, 'f', -1, 64) + scale.suffix
		}
	}
	digits := 6 // further digits come from adding floating-point numbers
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
