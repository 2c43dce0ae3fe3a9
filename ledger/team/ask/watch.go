package ask

import "context"

// Version returns a string that is different after every change of the store.
func (s *Store) Version(ctx context.Context) (string, error) {
	return answer(ctx, s, "look for changes", func(t *tx) (string, error) { return t.Version(ctx) })
}
