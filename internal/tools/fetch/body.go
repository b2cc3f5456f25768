package fetch

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"

	"hob/internal/display"
	"hob/internal/lazyregexp"
	"hob/internal/tools"
)

const (
	sniffBytes   = 512 // what http.DetectContentType looks at
	chardetBytes = 32 << 10
	chardetSure  = 20  // of 100: with less it is hardly ever right
	typeBytes    = 120 // of a declared content type that a result repeats
)

// readBody reads a response's body and undoes its compression. What it holds in memory is bounded by limit, on the wire
// and decompressed; a body of exactly limit bytes passes.
func readBody(resp *http.Response, limit int64) ([]byte, error) {
	encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	plain := encoding == "" || encoding == "identity"
	// A body that cannot be compressed is longer compressed, by less than this.
	wire := limit + limit/16 + 1024
	if plain {
		wire = limit
	}
	if resp.ContentLength > wire {
		return nil, tooLargeError(limit)
	}
	in := &limitedBody{r: resp.Body, left: wire, limit: limit}
	out, err := decompress(in, encoding)
	if err == nil {
		var body []byte
		if body, err = io.ReadAll(&limitedBody{r: out, left: limit, limit: limit}); err == nil {
			return body, nil
		}
	}
	if isCompressionError(err) {
		return nil, tools.Failed("the page's %s compression is broken", encoding)
	}
	return nil, err
}

// decompress undoes one encoding. Only those that the request offers are understood.
func decompress(r io.Reader, encoding string) (io.Reader, error) {
	if encoding == "" || encoding == "identity" {
		return r, nil
	}
	in := bufio.NewReader(r)
	head, err := in.Peek(2)
	if err == io.EOF && len(head) == 0 {
		return in, nil // nothing at all, such as the body of a 204
	}
	switch encoding {
	case "gzip", "x-gzip":
		return gzip.NewReader(in)
	case "deflate":
		// RFC 9110 means zlib's format; some servers send the bare stream.
		if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
			return zlib.NewReader(in)
		}
		return flate.NewReader(in), nil
	}
	return nil, tools.Failed("the page came in a compression that was not asked for")
}

func isCompressionError(err error) bool {
	var corrupt flate.CorruptInputError
	broken := []error{gzip.ErrHeader, gzip.ErrChecksum, zlib.ErrHeader, zlib.ErrChecksum, zlib.ErrDictionary}
	return errors.As(err, &corrupt) || slices.ContainsFunc(broken, func(one error) bool { return errors.Is(err, one) })
}

// limitedBody reads left bytes from r and fails when there are more.
type limitedBody struct {
	r     io.Reader
	left  int64
	limit int64 // for the error's words
}

func (c *limitedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		return 0, tooLargeError(c.limit)
	}
	c.left -= int64(n)
	return n, err
}

func tooLargeError(limit int64) *tools.Error {
	return tools.Failed("the page is larger than %s, the most that fetch reads", display.Limit(limit))
}

// declaredType returns a response's content type as declared, short and printable.
func declaredType(h http.Header) string {
	t := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, h.Get("Content-Type"))
	return strings.TrimSpace(t[:min(len(t), typeBytes)])
}

// take makes a page's text of body, or says why there is none: errPDF where it is one.
func (p *fetched) take(body []byte) error {
	p.size = len(body)
	media := mediaType(p.contentType)
	if media == "" || media == "application/octet-stream" || media == "application/x-unknown" {
		sniffed := http.DetectContentType(body)
		if media == "" && len(body) > 0 {
			p.contentType = sniffed
		}
		media = mediaType(sniffed)
	}
	if len(body) == 0 {
		return nil
	}
	if media == pdfType || bytes.HasPrefix(body, []byte("%PDF-")) {
		return errPDF
	}
	if !textual(media) {
		return notTextError(media)
	}
	p.html = media == "text/html" || media == "application/xhtml+xml"
	text := toUTF8(body, p.contentType, strings.HasSuffix(media, "xml"))
	if binary(text) {
		if media = mediaType(http.DetectContentType(body)); textual(media) {
			media = "application/octet-stream"
		}
		return notTextError(media)
	}
	p.text = text
	return nil
}

func notTextError(media string) *tools.Error {
	return tools.Failed("there is no text to read: the address holds %s", media).Suggest("fetch a page that has it as text")
}

// mediaType returns the type and subtype of a content type, "" where there is none.
func mediaType(contentType string) string {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	if !mediaName().MatchString(media) {
		return ""
	}
	return media
}

var (
	mediaName   = lazyregexp.New(`^[a-z0-9.+*_-]+/[a-z0-9.+*_-]+$`)
	xmlEncoding = lazyregexp.New(`^[^\n>]*<\?xml[^>]*encoding=["']([A-Za-z0-9._-]+)["']`)
	// textTypes are the types besides text/* whose bytes are text.
	textTypes = lazyregexp.New(`^application/(.*[-+.])?(json|xml|yaml|toml|ndjson|jsonl|json-seq|javascript|ecmascript|typescript|graphql|sql|sh|tex|perl|php|subrip|rtf|x-www-form-urlencoded|pgp-signature|pgp-keys)$|^(image|model|message)/.*\+xml$|^message/`)
)

func textual(media string) bool {
	return strings.HasPrefix(media, "text/") || textTypes().MatchString(media)
}

// binary reports whether the beginning of what should be text holds what no text does; the bytes are those of the
// WHATWG's MIME Sniffing Standard, section 3.
func binary(text string) bool {
	return strings.ContainsFunc(text[:min(len(text), sniffBytes)], func(r rune) bool {
		return r <= 0x08 || r == 0x0b || 0x0e <= r && r <= 0x1a || 0x1c <= r && r <= 0x1f
	})
}

// toUTF8 decodes body. The character set is that of its byte order mark, of the content type, of the document itself,
// or a guess from the bytes; what cannot be decoded becomes U+FFFD.
func toUTF8(body []byte, contentType string, xml bool) string {
	enc, name, certain := charset.DetermineEncoding(body, contentType)
	head := body[:min(len(body), 1024)]
	if m := xmlEncoding().FindSubmatch(head); xml && !certain && m != nil {
		if e, n := charset.Lookup(string(m[1])); e != nil {
			enc, name, certain = e, n, true
		}
	}
	// windows-1252 is also what x/net falls back on.
	if !certain && name == "windows-1252" && !bytes.Contains(bytes.ToLower(head), []byte("charset")) {
		if utf8.Valid(body) {
			return string(body)
		}
		if guess := guessCharset(body); guess != "" {
			enc, name = charset.Lookup(guess)
		}
	}
	if name != "utf-8" {
		if decoded, err := enc.NewDecoder().Bytes(body); err == nil {
			body = decoded
		}
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	return strings.ToValidUTF8(string(body), "\uFFFD")
}

// guessCharset returns the character set that the bytes of body look like, or "". Bytes alone do not tell UTF-16 or
// UTF-32 from a picture, so these are not guessed.
func guessCharset(body []byte) string {
	// What stands around the first byte that is not ASCII tells most.
	first := max(0, bytes.IndexFunc(body, func(r rune) bool { return r >= utf8.RuneSelf }))
	from := max(0, first-sniffBytes)
	guesses, err := chardet.NewHtmlDetector().DetectAll(body[from:min(len(body), from+chardetBytes)])
	if err != nil || guesses[0].Confidence < chardetSure {
		return ""
	}
	// Of equally good guesses the detector returns first what was computed first. The same page has to read the same always.
	name := guesses[0].Charset
	for _, g := range guesses[1:] {
		if g.Confidence == guesses[0].Confidence && isCommoner(g.Charset, name) {
			name = g.Charset
		}
	}
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf-32") {
		return ""
	}
	if enc, _ := charset.Lookup(name); enc == nil {
		return ""
	}
	return name
}

// isCommoner reports whether more pages are written in the character set a than in b. It orders all of them: those that are
// not listed come last, by their names.
func isCommoner(a, b string) bool {
	const order = "|utf-8|windows-1252|iso-8859-1|windows-1251|euc-jp|euc-kr|shift_jis|gb18030|windows-1250|iso-8859-2|big5|windows-1254" +
		"|iso-8859-9|windows-1256|windows-1255|windows-1253|iso-8859-7|koi8-r|iso-8859-8-i|iso-8859-8|iso-8859-6|iso-8859-5|"
	place := func(name string) int {
		if i := strings.Index(order, "|"+strings.ToLower(name)+"|"); i >= 0 {
			return i
		}
		return len(order)
	}
	if i, j := place(a), place(b); i != j {
		return i < j
	}
	return a < b
}
