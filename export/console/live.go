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
// slot, and what the run has cost so far. It disappears when nothing is running. It is guarded by
// the lock of its Console.
type Live struct {
	// Size returns the terminal's width and height, 0 if unknown.
	Size func() (width, height int)
	// Tail returns the end of a log. The path is as the console shows it.
	Tail func(path string) string
	// Now is the clock.
	Now func() time.Time

	running []liveRow
	cost    string
	drawn   []int // widths of the lines that are drawn
}

type liveRow struct {
	ledger.Running
	since time.Time
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

// Running adds a check or slot that has started. Printing its result removes it.
func (c *Console) Running(r ledger.Running) {
	c.update(func() { c.live.running = append(c.live.running, liveRow{r, c.live.Now()}) })
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

// ended removes a check or slot from the region, before its result is printed.
func (c *Console) ended(job string, slot int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		c.live.running = slices.DeleteFunc(c.live.running, func(r liveRow) bool { return r.Job == job && r.Slot == slot })
	}
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
	widest := 0
	for _, row := range rows {
		widest = max(widest, text.Width(text.EscapeLine(row.Address())))
	}
	widest = min(widest, max(16, width/2))
	for _, row := range rows {
		address := text.CutStart(text.EscapeLine(row.Address()), widest)
		line := fmt.Sprintf("  %s%s  %6s  %s", address, strings.Repeat(" ", widest-text.Width(address)),
			elapsed(l.Now().Sub(row.since)), text.EscapeLine(lastLine(l.Tail(row.Log))))
		lines = append(lines, text.Cut(strings.TrimRight(line, " "), width))
	}
	if more > 0 {
		lines = append(lines, text.Cut(fmt.Sprintf("  and %d more", more), width))
	}
	if len(lines) > 0 && l.cost != "" {
		lines = append(lines, text.Cut("  "+l.cost, width))
	}
	return lines
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
