package tool

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// stream reads a JSON document without holding all of it.
type stream struct{ dec *json.Decoder }

// skipped is a value that is not used. It must be valid JSON nevertheless.
type skipped struct{}

// UnmarshalJSON implements [json.Unmarshaler].
func (*skipped) UnmarshalJSON([]byte) error { return nil }

func (s *stream) skip() error { return s.dec.Decode(&skipped{}) }

// object calls each for every member of the next value, which must be an object.
func (s *stream) object(what string, each func(key string) error) error {
	if err := s.begin(what, '{', "an object"); err != nil {
		return err
	}
	for s.dec.More() {
		token, err := s.dec.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // the decoder accepts only strings as keys
		if err := each(key); err != nil {
			return err
		}
	}
	_, err := s.dec.Token()
	return err
}

// array calls each for every element of the next value, which must be an array.
func (s *stream) array(what string, each func() error) error {
	if err := s.begin(what, '[', "an array"); err != nil {
		return err
	}
	for s.dec.More() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err := s.dec.Token()
	return err
}

func (s *stream) begin(what string, open json.Delim, kind string) error {
	token, err := s.dec.Token()
	if err != nil {
		return err
	}
	if token != open {
		return fmt.Errorf("%s is not %s", what, kind)
	}
	return nil
}

// document reads the report from its beginning. It must be one JSON document.
func (r *reader) document(read func(*stream) error) error {
	if _, err := r.from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(r.from, 256<<10)
	if mark, err := in.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(len(mark)) // Peek has just read it
	}
	s := &stream{json.NewDecoder(in)}
	err := read(s)
	if err == nil {
		if _, err = s.dec.Token(); errors.Is(err, io.EOF) {
			return nil
		}
		return fmt.Errorf("there is more after the report, at byte %d", s.dec.InputOffset())
	}
	return describe(err, s.dec.InputOffset())
}

// describe returns what is wrong with the JSON, and where.
func describe(err error, offset int64) error {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF) && offset == 0:
		return errEmpty
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("it is cut off at byte %d", offset)
	case errors.As(err, &wrong):
		return fmt.Errorf("%q is %s, at byte %d", wrong.Field, wrong.Value, offset)
	case errors.As(err, &syntax):
		return fmt.Errorf("not valid JSON at byte %d: %w", offset, err)
	}
	return err
}
