package pdf

import (
	"strconv"
	"strings"
	"unicode/utf16"

	lib "github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/charmap"
)

// maxCodes bounds what a font may say about its characters.
const maxCodes = 1 << 17

// font says what the bytes of a string mean.
type font struct {
	wide    bool            // characters of two bytes, unless codes says otherwise
	utf16   bool            // of a wide font: the characters are UTF-16
	codes   *codes          // the font's own table; may be nil
	table   [256]string     // of a font that is not wide
	widths  map[int]float64 // of a character that is 1 high
	usual   float64         // width of one that is not in widths
	measure float64         // the unit of a width
}

// glyph is one character of a string.
type glyph struct {
	text   string
	width  float64
	length int  // bytes
	space  bool // the single byte 32, which word spacing widens
}

// next returns the first character of raw, which is not empty.
func (f *font) next(raw string) glyph {
	n := 1
	if f.wide {
		n = 2
	}
	if f.codes != nil {
		n = f.codes.length(raw[0], n)
	}
	n = min(n, len(raw))
	code := 0
	for i := range n {
		code = code<<8 | int(raw[i])
	}
	g := glyph{length: n, space: n == 1 && raw[0] == ' ', width: f.usual}
	if w, ok := f.widths[code]; ok {
		g.width = w
	}
	g.width *= f.measure
	own := ""
	if f.codes != nil {
		own = f.codes.text[key(raw[:n])]
	}
	switch {
	case own != "":
		g.text = own
	case f.utf16 && n == 2:
		g.text = string(utf16.Decode([]uint16{uint16(code)}))
	case !f.wide && n == 1:
		g.text = f.table[raw[0]]
	}
	return g
}

// plain is the font of text that names none.
func plain() *font {
	f := &font{usual: 0.5, measure: 1}
	for i := range f.table {
		f.table[i] = string(charmap.Windows1252.DecodeByte(byte(i)))
	}
	return f
}

// readFont reads a font of a file's. What it does not say is guessed.
func readFont(v lib.Value) (f *font) {
	f = plain()
	defer func() {
		_ = recover() // the part that was read is used
	}()
	f.measure = 0.001
	f.usual = 500
	if strings.Contains(v.Key("BaseFont").Name(), "Courier") {
		f.usual = 600
	}
	if v.Key("Subtype").Name() == "Type0" {
		f.wide, f.usual = true, 1000
		encoding := v.Key("Encoding").Name()
		f.utf16 = strings.Contains(encoding, "UCS2") || strings.Contains(encoding, "UTF16")
		f.readWide(v.Key("DescendantFonts").Index(0))
	} else {
		f.readNarrow(v)
	}
	if to := v.Key("ToUnicode"); to.Kind() == lib.Stream {
		f.codes = readCodes(streamBytes(to))
	}
	return f
}

// readWide reads the widths of a font of two bytes a character: [first [width ...]] or [first last width].
func (f *font) readWide(v lib.Value) {
	f.widths = map[int]float64{}
	if d := v.Key("DW"); d.Kind() == lib.Integer || d.Kind() == lib.Real {
		f.usual = d.Float64()
	}
	w := v.Key("W")
	for i := 0; i+1 < w.Len() && len(f.widths) < maxCodes; {
		first, second := int(w.Index(i).Int64()), w.Index(i+1)
		if second.Kind() == lib.Array {
			for j := range min(second.Len(), maxCodes) {
				f.widths[first+j] = second.Index(j).Float64()
			}
			i += 2
			continue
		}
		last := min(int(second.Int64()), 0xffff)
		for code := max(first, 0); code <= last; code++ {
			f.widths[code] = w.Index(i + 2).Float64()
		}
		i += 3
	}
}

// readNarrow reads a font of one byte a character.
func (f *font) readNarrow(v lib.Value) {
	if v.Key("Subtype").Name() == "Type3" {
		if m := v.Key("FontMatrix").Index(0).Float64(); m != 0 {
			f.measure = m
		}
	}
	widths := v.Key("Widths")
	first := int(v.Key("FirstChar").Int64())
	if widths.Len() > 0 {
		f.widths = map[int]float64{}
		for i := range min(widths.Len(), 256) {
			f.widths[first+i] = widths.Index(i).Float64()
		}
	} else if f.usual == 500 {
		f.widths = usualWidths()
	}
	encoding := v.Key("Encoding")
	if encoding.Name() == "MacRomanEncoding" || encoding.Key("BaseEncoding").Name() == "MacRomanEncoding" {
		for i := range f.table {
			f.table[i] = string(charmap.Macintosh.DecodeByte(byte(i)))
		}
	}
	if encoding.Kind() == lib.Dict {
		f.readDifferences(v, encoding.Key("Differences"))
	}
}

// readDifferences reads [code name name ... code name ...]. The library knows what the names mean.
func (f *font) readDifferences(v, differences lib.Value) {
	named := lib.Font{V: v}
	known := named.Encoder()
	code := 0
	for i := range min(differences.Len(), 1000) {
		switch d := differences.Index(i); d.Kind() {
		case lib.Integer:
			code = int(d.Int64())
		case lib.Name:
			if 0 <= code && code < 256 {
				f.table[code] = glyphName(d.Name(), func() string { return known.Decode(string([]byte{byte(code)})) })
			}
			code++
		}
	}
}

// glyphName returns the character that a glyph's name means, "" where it has a meaning for its font only.
func glyphName(name string, known func() string) string {
	name, _, _ = strings.Cut(name, ".") // a.sc is an a
	for _, prefix := range []string{"uni", "u"} {
		digits, ok := strings.CutPrefix(name, prefix)
		if v, err := strconv.ParseUint(digits, 16, 21); ok && err == nil && 4 <= len(digits) && len(digits) <= 6 {
			return string(rune(v))
		}
	}
	return known()
}

// usualWidths are those of the letters that everybody has, for the fonts that need not say.
func usualWidths() map[int]float64 {
	widths := map[int]float64{}
	for _, class := range []struct {
		width float64
		chars string
	}{
		{222, "ijl'"}, {278, " !,./:;I[]\\ft|"}, {333, "()-`r"}, {389, "*"}, {355, "\""}, {500, "ckJsvxyz"}, {584, "+<=>~"},
		{611, "FTZ"}, {667, "&ABEKPSVXY"}, {722, "CDHNRUw"}, {778, "GOQ"}, {833, "mM"}, {889, "%"}, {944, "W"},
		{1015, "@"}, {556, "0123456789abdeghnopquL#$?_"},
	} {
		for _, c := range class.chars {
			widths[int(c)] = class.width
		}
	}
	return widths
}
