package chart

import (
	"html/template"
	"strings"
)

const (
	sparkWidth  = 96
	sparkHeight = 16 // height of the largest value, above a foot of 2 pixels
	sparkBar    = 12 // maximum distance between bars, in pixels
)

// Spark draws values as bars, 96 by 20 pixels. The scale goes from 0 to largest, the largest of all
// values that the drawing is compared with. A zero is drawn as a gray foot. If there are more
// values than bars fit, a bar shows the largest of several.
func Spark(values []int, largest int, tone Tone) template.HTML {
	values = thinned(values, sparkWidth/3)
	pitch := min(sparkBar, ratio(sparkWidth, float64(len(values))))
	width := max(1, pitch-2)
	var bars, feet strings.Builder
	for i, v := range values {
		into, h, bottom := &bars, sparkHeight*ratio(float64(v), float64(max(largest, v))), 18.0
		if v <= 0 {
			into, h, bottom = &feet, 1.5, 18.5
		}
		into.WriteString("M" + px(float64(i)*pitch) + " " + px(bottom) + "v-" + px(h) + "h" + px(width) + "v" + px(h) + "z")
	}
	var m marks
	m.path(tone, bars.String())
	m.path(Muted, feet.String())
	return m.html()
}

// thinned returns at most limit values: the largest of each of as many stretches.
func thinned(values []int, limit int) []int {
	if len(values) <= limit {
		return values
	}
	kept := make([]int, limit)
	for i, v := range values {
		at := i * limit / len(values)
		kept[at] = max(kept[at], v)
	}
	return kept
}

// stripLength is the maximum number of outcomes in a strip.
const stripLength = 30

// Strip draws outcomes, the newest last, 184 by 20 pixels. Failures are taller. If there are fewer
// than fit, a line fills the rest.
func Strip(failed []bool) template.HTML {
	failed = failed[max(0, len(failed)-stripLength):]
	const pitch = 184.0 / stripLength
	var passed, tall strings.Builder
	for i, f := range failed {
		x, width := px(float64(i)*pitch), px(pitch-2)
		if f {
			tall.WriteString("M" + x + " 18v-16h" + width + "v16z")
		} else {
			passed.WriteString("M" + x + " 18v-7h" + width + "v7z")
		}
	}
	var m marks
	m.path(Verified, passed.String())
	m.path(Reopened, tall.String())
	if n := len(failed); n < stripLength {
		m.path(Muted, "M"+px(float64(n)*pitch)+" 18v-1h"+px(float64(stripLength-n)*pitch-2)+"v1z")
	}
	return m.html()
}

// Part is one part of a [Row], with its length on the row's scale.
type Part struct {
	Value float64
	Paint Paint
}

// Row draws parts side by side, 12 pixels high. The full width stands for largest, the largest sum
// of the rows in the column.
func Row(parts []Part, largest float64) template.HTML {
	var m marks
	at := 0.0
	for _, p := range parts {
		share := ratio(p.Value, largest)
		if share <= 0 {
			continue
		}
		m.rect(p.Paint, pct(at), "0", pct(share), "12")
		at += share
	}
	return m.html()
}

// Interval draws a share and its confidence interval, on a scale from 0 to 1.
func Interval(low, share, high float64) template.HTML {
	var m marks
	m.line("gr", "0", "100%", "6", "6")
	m.line("ax", pct(low), pct(high), "6", "6")
	m.line("ax", pct(low), pct(low), "2", "10")
	m.line("ax", pct(high), pct(high), "2", "10")
	m.dot(Verified, pct(share), "6", "4.5")
	return m.html()
}

// Spread draws the median as a dot and the 90th percentile as the end of a line, on a scale from 0
// to the largest of the column.
func Spread(p50, p90, largest float64) template.HTML {
	var m marks
	from, to := pct(ratio(p50, largest)), pct(ratio(p90, largest))
	m.line("gr", "0", "100%", "6", "6")
	m.line("ax", from, to, "6", "6")
	m.dot(Accent, from, "6", "4.5")
	m.line("ax", to, to, "0", "12")
	return m.html()
}

const (
	burnBottom = 84
	burnHeight = 64
)

// Burn draws one stacked bar for a cell of a table, 84 pixels high, on the scale of its row. top is
// the position of the number above the bar.
func Burn(parts []Part, largest float64) (drawn template.HTML, top string) {
	var m marks
	y := float64(burnBottom)
	for _, p := range parts {
		h := burnHeight * ratio(p.Value, largest)
		if h <= 0 {
			continue
		}
		y -= h
		m.rect(p.Paint, "0", px(y), "44%", px(h))
	}
	m.line("ax", "0", "100%", "84", "84")
	return m.html(), px(y - 5)
}
