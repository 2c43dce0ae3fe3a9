package dashboard

import (
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// packers are reused, because making one takes longer than compressing most pages.
var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// compressed sends what the handler writes with gzip to a client that takes it.
func compressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if r.Method == http.MethodHead || !takesGzip(r.Header.Get("Accept-Encoding")) {
			next.ServeHTTP(w, r)
			return
		}
		packed := &gzipWriter{ResponseWriter: w}
		defer packed.close()
		next.ServeHTTP(packed, r)
	})
}

// takesGzip reports whether the client lists gzip and does not refuse it.
func takesGzip(accepted string) bool {
	for coding := range strings.SplitSeq(accepted, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if strings.TrimSpace(name) == "gzip" {
			return strings.Trim(strings.ReplaceAll(quality, " ", ""), "0.") != "q="
		}
	}
	return false
}

// gzipWriter compresses the body of an answer; what is not modified has none.
type gzipWriter struct {
	http.ResponseWriter
	gzip  *gzip.Writer
	begun bool
}

// WriteHeader implements [http.ResponseWriter].
func (w *gzipWriter) WriteHeader(status int) {
	if !w.begun {
		w.begun = true
		if status != http.StatusNotModified {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Del("Content-Length")
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *gzipWriter) Write(data []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	if w.gzip == nil {
		w.gzip = packers.Get().(*gzip.Writer)
		w.gzip.Reset(w.ResponseWriter)
	}
	return w.gzip.Write(data)
}

func (w *gzipWriter) close() {
	if w.gzip == nil {
		return
	}
	_ = w.gzip.Close() // the client is gone
	packers.Put(w.gzip)
}
