package lists

import (
	"iter"
	"slices"
)

// Batches yields the values in slices of the given size as they arrive. The last slice may be
// shorter. Each slice is overwritten by the next one. Values that arrived before an error are
// yielded before the error.
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

// Collect returns all values of a short list as a slice.
func Collect[T any](values iter.Seq2[T, error]) (all []T, err error) {
	for value, err := range values {
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, nil
}

// First yields at most limit values; 0 means all.
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

// ahead is how many values are passed from the reader to the writer at a time.
const ahead = 250

// Within yields values that exist only while read runs, such as those of a transaction. read passes
// the values to each and returns the error of each, or its own, which is yielded last. The next
// values are read while the previous ones are written, which takes about as long.
func Within[T any](read func(each func(iter.Seq2[T, error]) error) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		batches, left, failed := make(chan []T), make(chan struct{}), make(chan error, 1)
		go func() {
			defer close(batches)
			failed <- read(func(values iter.Seq2[T, error]) error {
				for batch, err := range Batches(values, ahead) {
					if err != nil {
						return err
					}
					select {
					case batches <- slices.Clone(batch):
					case <-left:
						return nil
					}
				}
				return nil
			})
		}()
		// Wait until read has ended, so that a caller that stops early can make the next query.
		defer func() {
			close(left)
			for range batches {
			}
		}()
		for batch := range batches {
			for _, value := range batch {
				if !yield(value, nil) {
					return
				}
			}
		}
		if err := <-failed; err != nil {
			var none T
			yield(none, err)
		}
	}
}

// Paged yields the values of pages that are read one after another. next returns the next page, and
// whether there may be more.
func Paged[T any](next func() (page []T, more bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for more := true; more; {
			page, others, err := next()
			for _, value := range page {
				if !yield(value, nil) {
					return
				}
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			more = others
		}
	}
}

// Later yields the values of a list that is computed when the first value is asked for.
func Later[T any](list func() ([]T, error)) iter.Seq2[T, error] {
	return Paged(func() ([]T, bool, error) {
		all, err := list()
		return all, false, err
	})
}

// Described yields the results of describe, which is called with batches of the values.
func Described[T, D any](values iter.Seq2[T, error], batch int, describe func([]T) ([]D, error)) iter.Seq2[D, error] {
	return func(yield func(D, error) bool) {
		for some, err := range Batches(values, batch) {
			var described []D
			if err == nil {
				described, err = describe(some)
			}
			for _, value := range described {
				if !yield(value, nil) {
					return
				}
			}
			if err != nil {
				var none D
				yield(none, err)
				return
			}
		}
	}
}
