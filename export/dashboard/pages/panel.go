package pages

// Panel is the result of one query. If the query fails, only its panel shows the reason instead of
// content, not the whole page.
type Panel[T any] struct {
	Value   T
	Problem string
}
