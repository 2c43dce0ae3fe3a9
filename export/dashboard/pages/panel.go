package pages

// Panel is one question's answer. A question that failed blanks its panel, with the
// reason, and never the page.
type Panel[T any] struct {
	Value   T
	Problem string
}
