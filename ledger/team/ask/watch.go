package ask

import "context"

// Version is a text that differs after every change of the store.
func (s *Store) Version(ctx context.Context) (version string, err error) {
	err = s.read(ctx, "look for changes", func(t *tx) error {
		version, err = t.Version(ctx)
		return err
	})
	return version, err
}
