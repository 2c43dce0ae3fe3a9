package interop

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// OpenMetrics writes the run as gauges for node_exporter's textfile collector. No label is an ID,
// so the number of series does not grow with the number of runs.
func (r Run) OpenMetrics() []byte {
	var m metrics
	run := r.State.Run
	m.family("run_status", "1 for the status of the latest run.")
	m.value("run_status", 1, "kind", string(run.Kind), "status", string(run.Status))
	m.family("run_iterations", "Iterations of the latest run.")
	m.value("run_iterations", float64(len(r.State.Iterations)))
	m.family("run_start_timestamp_seconds", "When the latest run started.")
	m.value("run_start_timestamp_seconds", float64(run.StartedAt.Unix()))
	gates := r.State.LatestGates()
	m.family("gate_status", "1 for the status of each gate in its latest execution.")
	for _, g := range gates {
		m.value("gate_status", 1, gateLabels(g, "kind", string(g.Kind), "status", string(g.Status))...)
	}
	m.family("gate_duration_seconds", "How long each gate took in its latest execution.")
	for _, g := range gates {
		m.value("gate_duration_seconds", g.Duration.Seconds(), gateLabels(g, "kind", string(g.Kind))...)
	}
	m.family("check_problems", "Problems of each check in its latest execution.")
	for _, g := range gates {
		if g.Kind == ledger.KindCheck {
			m.value("check_problems", float64(g.Problems), gateLabels(g)...)
		}
	}
	m.family("slots", "Slots of each review gate in its latest execution.")
	slots := newTally()
	for _, g := range gates {
		for _, s := range g.Slots {
			slots.add(gateLabels(g, "adapter", s.Adapter, "status", string(s.Status))...)
		}
	}
	m.tally("slots", slots)
	m.family("violations", "Violations of the latest run.")
	violations := newTally()
	for _, v := range r.Violations {
		violations.add("entry_point", v.EntryPoint, "gate", v.Gate, "adapter", v.Adapter, "status", string(v.Status), "priority", string(v.Priority))
	}
	m.tally("violations", violations)
	m.out.WriteString("# EOF\n")
	return m.out.Bytes()
}

func gateLabels(g ledger.Gate, more ...string) []string {
	return append([]string{"entry_point", g.EntryPoint, "gate", g.Name}, more...)
}

// metrics collects metric families in their order.
type metrics struct{ out bytes.Buffer }

func (m *metrics) family(name, help string) {
	fmt.Fprintf(&m.out, "# HELP reviewledger_%[1]s %[2]s\n# TYPE reviewledger_%[1]s gauge\n", name, help)
}

func (m *metrics) value(name string, value float64, labels ...string) {
	fmt.Fprintf(&m.out, "reviewledger_%s%s %v\n", name, labelText(labels), formatted(value))
}

// formatted formats a number without an exponent, for people.
func formatted(value float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", value), "0"), ".")
}

func (m *metrics) tally(name string, t *tally) {
	slices.Sort(t.keys)
	for _, key := range t.keys {
		fmt.Fprintf(&m.out, "reviewledger_%s%s %d\n", name, key, t.counts[key])
	}
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// labelText formats pairs of label names and values.
func labelText(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	var pairs []string
	for i := 0; i < len(labels); i += 2 {
		pairs = append(pairs, labels[i]+`="`+labelEscapes.Replace(xmlText(labels[i+1]))+`"`)
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

// tally counts things with the same labels.
type tally struct {
	counts map[string]int
	keys   []string
}

func newTally() *tally { return &tally{counts: map[string]int{}} }

func (t *tally) add(labels ...string) {
	key := labelText(labels)
	if t.counts[key] == 0 {
		t.keys = append(t.keys, key)
	}
	t.counts[key]++
}
