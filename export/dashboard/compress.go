package dashboard

import (
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// packers are reused, because creating one takes longer than compressing most pages.
var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// compressed compresses the responses of the handler with gzip for clients that accept it.
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

// takesGzip reports whether the client accepts gzip.
func takesGzip(accepted string) bool {
	for coding := range strings.SplitSeq(accepted, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if strings.TrimSpace(name) == "gzip" {
			return strings.Trim(strings.ReplaceAll(quality, " ", ""), "0.") != "q="
		}
	}
	return false
}

// gzipWriter compresses the body of a response. A 304 response has none.
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
	_ = w.gzip.Close() // an error means that the client is gone
	packers.Put(w.gzip)
}
