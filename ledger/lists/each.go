package lists

import "iter"

// Batches are the values in slices of so many, while they come. A slice is overwritten by
// the next one. The last slice is shorter; what came before an error is yielded before it.
func Batches[T any](values iter.Seq2[T, error], size int) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		var batch []T
		for value, err := range values {
			if err != nil {
				if len(batch) == 0 || yield(batch, nil) {
					yield(nil, err)
				}
				return
			}
			if batch = append(batch, value); len(batch) < size {
				continue
			}
			if !yield(batch, nil) {
				return
			}
			batch = batch[:0]
		}
		if len(batch) > 0 {
			yield(batch, nil)
		}
	}
}

// Collect are all values, for a list that is short.
func Collect[T any](values iter.Seq2[T, error]) (all []T, err error) {
	for value, err := range values {
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, nil
}

// First are the first values, as many as the limit lets them be; 0 is all.
func First[T any](values iter.Seq2[T, error], limit int) iter.Seq2[T, error] {
	if limit <= 0 {
		return values
	}
	return func(yield func(T, error) bool) {
		left := limit
		for value, err := range values {
			if left--; !yield(value, err) || left == 0 {
				return
			}
		}
	}
}

// Within yields values that are there only while read goes on, as in a transaction: read
// hands them to each and returns its error, or one of its own. That is the last that is
// yielded.
func Within[T any](read func(each func(iter.Seq2[T, error]) error) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		left := false
		err := read(func(values iter.Seq2[T, error]) error {
			for value, err := range values {
				if err != nil {
					return err
				}
				if !yield(value, nil) {
					left = true
					return nil
				}
			}
			return nil
		})
		if err != nil && !left {
			var none T
			yield(none, err)
		}
	}
}

// Later are the values of a list that is made when they are asked for.
func Later[T any](list func() ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		all, err := list()
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		for _, value := range all {
			if !yield(value, nil) {
				return
			}
		}
	}
}
