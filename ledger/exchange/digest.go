package exchange

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"reflect"
	"slices"
)

// Digest returns a hash that distinguishes states of a run that have the same revision, and the same
// skips forgotten. It covers the columns that every level of [Content] leaves unchanged, so that it does not depend on what
// was cut. It begins with the version of the format, because digests of different formats cannot be
// compared.
func (r *Run) Digest(forgotten []ForgottenSkip) string {
	d := digester{hash: sha256.New()}
	d.row("run", reflect.ValueOf(&r.Head).Elem())
	for kind, list := range r.Lists() {
		rows := reflect.ValueOf(list).Elem()
		if slices.Contains(columnRules(kind, rows.Type().Elem()), long) {
			continue
		}
		d.text(kind)
		d.number(int64(rows.Len()))
		for i := range rows.Len() {
			d.row(kind, rows.Index(i))
		}
	}
	for i := range forgotten {
		d.text(forgotten[i].Violation)
		d.number(forgotten[i].Event)
	}
	d.flush()
	return fmt.Sprintf("%d:%s", Format, hex.EncodeToString(d.hash.Sum(nil)))
}

// digester hashes values so that different rows never have the same bytes.
type digester struct {
	hash    hash.Hash
	pending []byte
}

func (d *digester) flush() {
	_, _ = d.hash.Write(d.pending) // a hash never fails
	d.pending = d.pending[:0]
}

func (d *digester) text(s string) {
	d.number(int64(len(s)))
	d.pending = append(d.pending, s...)
}

func (d *digester) number(n int64) { d.pending = binary.AppendVarint(d.pending, n) }

func (d *digester) row(kind string, row reflect.Value) {
	fields := fieldsOf(row.Type())
	for i, rule := range columnRules(kind, row.Type()) {
		if rule == kept {
			d.value(row.FieldByIndex(fields[i].index))
		}
	}
	if len(d.pending) > 1<<15 {
		d.flush()
	}
}

func (d *digester) value(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			d.pending = append(d.pending, 0)
			return
		}
		d.pending = append(d.pending, 1)
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		d.text(v.String())
	case reflect.Int, reflect.Int64:
		d.number(v.Int())
	case reflect.Float64:
		d.pending = binary.BigEndian.AppendUint64(d.pending, math.Float64bits(v.Float()))
	default:
		panic(fmt.Sprintf("a record has a %s, which no digest knows", v.Type()))
	}
}
