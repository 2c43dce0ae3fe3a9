package console

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Live is a region at the end of a terminal that shows what is running: a line for each check and
// slot, how many of those that are planned are done, and what the run has cost so far. It disappears
// when nothing is running. It is guarded by the lock of its Console.
type Live struct {
	// Size returns the terminal's width and height, 0 if unknown.
	Size func() (width, height int)
	// Tail returns the end of a log. The path is as the console shows it.
	Tail func(path string) string
	// Now is the clock.
	Now func() time.Time
	// Usual returns how long an adapter usually takes for a job, 0 if unknown. It may be nil.
	Usual func(job, adapter string) time.Duration

	planned []ledger.Running // those that have not ended
	all     int              // how many were planned
	since   time.Time        // when they were planned
	running []liveRow
	cost    string
	drawn   []int // widths of the lines that are drawn
}

type liveRow struct {
	ledger.Running
	since time.Time
	usual time.Duration // 0 if unknown
}

// refreshEvery is how often the region is redrawn without other output.
const refreshEvery = 200 * time.Millisecond

// Animate shows the region on stdout until stop is called.
func (c *Console) Animate(live *Live) (stop func()) {
	c.mu.Lock()
	c.live = live
	c.mu.Unlock()
	ticker, done, ended := time.NewTicker(refreshEvery), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticker.C:
				c.update(func() {})
			case <-done:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(done)
		<-ended
		c.mu.Lock()
		defer c.mu.Unlock()
		c.stdout.write(c.live.erase())
		c.live = nil
	}
}

// Planned sets the checks and slots of which the region says how many are done.
func (c *Console) Planned(planned []ledger.Running) {
	c.update(func() {
		c.live.planned, c.live.all, c.live.since = slices.Clone(planned), len(planned), c.live.Now()
	})
}

// Running adds a check or slot that has started.
func (c *Console) Running(r ledger.Running) {
	c.update(func() {
		row := liveRow{Running: r, since: c.live.Now()}
		if r.Adapter != "" && c.live.Usual != nil {
			row.usual = c.live.Usual(r.Job, r.Adapter)
		}
		c.live.running = append(c.live.running, row)
	})
}

// Ended removes a check or slot, and counts it as done.
func (c *Console) Ended(job string, slot int) {
	c.update(func() { c.live.end(job, slot) })
}

// Cost sets the cost of the run so far that the region shows.
func (c *Console) Cost(s ledger.Spent) {
	c.update(func() { c.live.cost = SpentText(s) })
}

// Interrupted says which checks and slots are being stopped. It prints nothing without a region.
func (c *Console) Interrupted() {
	c.mu.Lock()
	var names []string
	if c.live != nil {
		for _, row := range c.live.running {
			names = append(names, row.Address())
		}
	}
	c.mu.Unlock()
	if len(names) > 0 {
		c.Line("Interrupted: stopping " + strings.Join(names, ", "))
	}
}

// update changes the region and redraws it.
func (c *Console) update(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		change()
		c.stdout.write(c.live.erase() + c.live.draw())
	}
}

// around writes lines above the region. If both are on the same stream they are one write, so that
// nothing flickers.
func (c *Console) around(to *sink, shown string) {
	switch {
	case c.live == nil || shown == "":
		to.write(shown)
	case to == &c.stdout:
		to.write(c.live.erase() + shown + c.live.draw())
	default:
		c.stdout.write(c.live.erase())
		to.write(shown)
		c.stdout.write(c.live.draw())
	}
}

// ended is [Console.Ended] before the result is printed, with which the region is drawn again.
func (c *Console) ended(job string, slot int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		c.live.end(job, slot)
	}
}

func (l *Live) end(job string, slot int) {
	is := func(r ledger.Running) bool { return r.Job == job && r.Slot == slot }
	l.running = slices.DeleteFunc(l.running, func(r liveRow) bool { return is(r.Running) })
	l.planned = slices.DeleteFunc(l.planned, is)
}

// erase returns the escape sequences that remove the region from the terminal. A terminal that has
// become narrower has wrapped the lines that no longer fit.
func (l *Live) erase() string {
	if len(l.drawn) == 0 {
		return ""
	}
	width, _ := l.Size()
	width = cmp.Or(width, liveWidth)
	rows := 0
	for _, line := range l.drawn {
		rows += max(1, (line+width-1)/width)
	}
	l.drawn = nil
	return fmt.Sprintf("\x1b[%dA\r\x1b[J", rows)
}

// draw returns the region in its present state and remembers the widths of its lines.
func (l *Live) draw() string {
	lines := l.lines()
	for _, line := range lines {
		l.drawn = append(l.drawn, text.Width(line))
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// liveWidth and liveHeight are assumed if the size of the terminal is unknown.
const (
	liveWidth  = 80
	liveHeight = 24
)

// lines returns the lines of the region. They are narrower than the terminal, so that it does not
// wrap them, and fewer than its height.
func (l *Live) lines() (lines []string) {
	width, height := l.Size()
	width, height = cmp.Or(width, liveWidth)-1, cmp.Or(height, liveHeight)
	rows, more := l.running, 0
	if most := max(1, height-4); len(rows) > most {
		rows, more = rows[:most], len(rows)-most
	}
	label, usual := 0, 0
	for _, row := range rows {
		label, usual = max(label, text.Width(row.label())), max(usual, len(row.usually()))
	}
	label = min(label, max(16, width/2))
	for _, row := range rows {
		name := text.CutStart(row.label(), label)
		line := fmt.Sprintf("  %s%s  %6s  ", name, strings.Repeat(" ", label-text.Width(name)), elapsed(l.Now().Sub(row.since)))
		if usual > 0 {
			line += fmt.Sprintf("%-*s  ", usual, row.usually())
		}
		line += text.EscapeLine(lastLine(l.Tail(row.Log)))
		lines = append(lines, text.Cut(strings.TrimRight(line, " "), width))
	}
	if more > 0 {
		lines = append(lines, text.Cut(fmt.Sprintf("  and %d more", more), width))
	}
	if len(lines) > 0 && l.all > 0 {
		lines = append(lines, text.Cut(fmt.Sprintf("  %d of %d done, after %s", l.all-len(l.planned), l.all, elapsed(l.Now().Sub(l.since))), width))
	}
	if len(lines) > 0 && l.cost != "" {
		lines = append(lines, text.Cut("  "+l.cost, width))
	}
	return lines
}

// label names a row as its result will.
func (r liveRow) label() string {
	if r.Slot == 0 {
		return text.EscapeLine(r.Job)
	}
	return slotLabel(r.Job, r.Adapter, r.Slot)
}

// usually says how long the reviewer usually takes, if that is known.
func (r liveRow) usually() string {
	switch d := r.usual; {
	case d <= 0:
		return ""
	case d < time.Second:
		return "usually under 1 s"
	case d < 90*time.Second:
		return fmt.Sprintf("usually %.0f s", d.Seconds())
	default:
		return fmt.Sprintf("usually %.0f min", d.Minutes())
	}
}

// elapsed formats a duration in whole seconds.
func elapsed(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
	return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}

// rule is the prefix of the lines that separate the sections of a log.
const rule = "--- "

// lastLine returns the last line that is not blank, as a terminal would show it: text before a
// carriage return is overwritten. It returns "" if a section of the log has just started.
func lastLine(log string) string {
	lines := strings.Split(log, "\n")
	for _, line := range slices.Backward(lines) {
		line = strings.TrimRight(line, "\r \t")
		line = line[strings.LastIndexByte(line, '\r')+1:]
		if strings.HasPrefix(line, rule) {
			return ""
		}
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
