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

// Mapped are the values that a function makes of others.
func Mapped[T, U any](values iter.Seq2[T, error], make func(T) U) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for value, err := range values {
			if !yield(make(value), err) {
				return
			}
		}
	}
}
