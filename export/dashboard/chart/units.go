package chart

const (
	unitPitch = 22 // pixels from one shape to the next
	// MaxUnits is how many shapes a column has at most; where there are more, bars
	// show them better.
	MaxUnits = 12
)

// Unit is one row, drawn as the shape of its status.
type Unit struct {
	Symbol, Class string // of the page's symbols
	Title, Href   string
}

// Column is the units of one stretch of time, from the axis upwards.
type Column struct {
	Label string
	Units []Unit
}

// Units is a chart of one shape a row, as a template draws it.
type Units struct {
	ID, Title string
	Height    int
	Axis      string
	Foot      string
	Drawn     []DrawnUnit
	Labels    []UnitLabel
}

// DrawnUnit is a unit with its place.
type DrawnUnit struct {
	Unit
	X, Y string
}

// UnitLabel is the label below a column.
type UnitLabel struct{ X, Text string }

// NewUnits computes where each shape is. No column may have more than [MaxUnits].
func NewUnits(id, title string, columns []Column) Units {
	highest := 0
	for _, c := range columns {
		highest = max(highest, len(c.Units))
	}
	axis := 6 + unitPitch*highest
	u := Units{ID: id, Title: title, Height: axis + unitPitch, Axis: px(float64(axis)), Foot: px(float64(axis + 16))}
	every := (len(columns) + maxLabels - 1) / maxLabels
	width := ratio(1, float64(len(columns)))
	for i, c := range columns {
		x := pct((float64(i) + .5) * width)
		for j, unit := range c.Units {
			u.Drawn = append(u.Drawn, DrawnUnit{Unit: unit, X: x, Y: px(float64(axis - unitPitch*(j+1)))})
		}
		if i%every == 0 {
			u.Labels = append(u.Labels, UnitLabel{x, c.Label})
		}
	}
	return u
}
