package chart

const (
	unitPitch = 22 // distance between shapes in pixels
	// MaxUnits is the maximum number of shapes in a column. If there are more, bars are clearer.
	MaxUnits = 12
)

// Unit is one row of a list, drawn as the shape of its status.
type Unit struct {
	Symbol, Class string // among the symbols of the page
	Title, Href   string
}

// Column has the units of one period, from the axis upwards.
type Column struct {
	Label string
	Units []Unit
}

// Units is a chart with one shape for each row of a list, as the template draws it.
type Units struct {
	ID, Title string
	Height    int
	Axis      string
	Foot      string
	Drawn     []DrawnUnit
	Labels    []UnitLabel
}

// DrawnUnit is a unit with its position.
type DrawnUnit struct {
	Unit
	X, Y string
}

// UnitLabel is the label below a column.
type UnitLabel struct{ X, Text string }

// NewUnits computes the positions of all shapes. No column may have more than [MaxUnits] units.
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
