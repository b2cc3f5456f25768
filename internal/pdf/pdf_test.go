package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"crypto/rc4"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/race"
)

// timeVariable says how long the test binary reads when it is the program.
const timeVariable = "HOB_TEST_PDF_TIME"

// TestMain lets the test binary be the program, for the files that end it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Name {
		within, err := time.ParseDuration(os.Getenv(timeVariable))
		if err != nil {
			panic(err)
		}
		os.Exit(program(within))
	}
	race.SkipAll("a PDF is read by one goroutine in a process of its own")
	os.Exit(m.Run())
}

// file is a PDF under construction: its objects, of which the first is 1.
type file struct {
	objects []string
	trailer string // beside /Size
}

// add adds an object and returns its number.
func (f *file) add(format string, args ...any) int {
	f.objects = append(f.objects, fmt.Sprintf(format, args...))
	return len(f.objects)
}

// stream adds a stream.
func (f *file) stream(keys, data string) int {
	return f.add("<<%s /Length %d>>\nstream\n%s\nendstream", keys, len(data), data)
}

// deflated adds a compressed stream.
func (f *file) deflated(data string) int {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return f.stream("/Filter /FlateDecode", b.String())
}

// bytes writes the file.
func (f *file) bytes() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	var at []int
	for i, o := range f.objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d %s>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, f.trailer, xref)
	return b.Bytes()
}

// document makes a PDF of pages with the given drawings. Their font F is what font says.
func document(font string, drawings ...string) *file {
	f := &file{trailer: "/Root 1 0 R"}
	f.add("<</Type /Catalog /Pages 2 0 R>>")
	f.add("") // the pages
	f.add("%s", font)
	kids := ""
	for _, d := range drawings {
		kids += fmt.Sprintf("%d 0 R ", f.add("<</Type /Page /Parent 2 0 R /Contents %d 0 R>>", f.deflated(d)))
	}
	f.objects[1] = fmt.Sprintf("<</Type /Pages /Count %d /Kids [%s] /Resources <</Font <</F 3 0 R>>>>>>", len(drawings), kids)
	return f
}

const helvetica = "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>"

// reading returns what run makes of a file.
func reading(t *testing.T, pdf []byte) (string, int) {
	t.Helper()
	var out bytes.Buffer
	status := run(bytes.NewReader(pdf), &out, 10*time.Minute)
	return out.String(), status
}

// wants reads a file and compares its text.
func wants(t *testing.T, f *file, want string) {
	t.Helper()
	got, status := reading(t, f.bytes())
	if diff := cmp.Diff(want, got); diff != "" || status != 0 {
		t.Errorf("status %d (%s); the text (-want +got):\n%s", status, Explain(status), diff)
	}
}

// TestText is what a page's drawing becomes.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, drawing, want string }{
		{"one line", "BT /F 12 Tf 72 700 Td (Hello) Tj ET", "Hello"},
		{"lines and paragraphs", "BT /F 12 Tf 14 TL 72 700 Td (one) Tj T* (two) Tj 0 -40 Td (three) Tj ET", "one\ntwo\n\nthree"},
		{"words that only their place keeps apart", "BT /F 10 Tf 72 700 Td [(two) -300 (words) -20 (!)] TJ ET", "two words!"},
		{"a table's columns", "BT /F 10 Tf 72 700 Td (milk) Tj 200 0 Td (1.20) Tj ET", "milk  1.20"},
		{"the quote operators", "BT /F 12 Tf 14 TL 72 700 Td (a) Tj (b) ' 1 0 (c) \" ET", "a\nb\nc"},
		{"a raised figure", "BT /F 12 Tf 72 700 Td (x) Tj 5 Ts /F 8 Tf (2) Tj ET", "x2"},
		{"a line on its side", "BT /F 12 Tf 72 700 Td (up) Tj 0 1 -1 0 20 20 Tm (side) Tj ET", "up\n\nside"},
		{"bold by drawing twice", "BT /F 12 Tf 72 700 Td (fat) Tj 0.1 0 Td (fat) Tj ET", "fat"},
		{"scaled by the page", "q .1 0 0 .1 0 0 cm BT /F 120 Tf 720 7000 Td (a) Tj 0 -140 Td (b) Tj ET Q", "a\nb"},
		{"escapes", `BT /F 12 Tf 72 700 Td (\(a\\b\) \101\344 \q) Tj ET`, "(a\\b) Aä q"},
		{"hexadecimal", "BT /F 12 Tf 72 700 Td <48 65 6C6c 6F2> Tj ET", "Hello"},
		{"a picture in the drawing", "BI /W 2 ID \x00)(<<EI\xff EI BT /F 12 Tf 72 700 Td (after) Tj ET", "after"},
		{"nonsense between", "BT /F 12 Tf ] >> ) } 72 700 Td (still) Tj foo 1 2 (x bar", "still"},
		{"quotes and dashes", "BT /F 12 Tf 72 700 Td (\x93so\x94 \x96 \x80) Tj ET", "“so” – €"},
		{"control characters", "BT /F 12 Tf 72 700 Td (a\x1b[31mb\x00c) Tj ET", "a[31mbc"},
	} {
		t.Run(c.name, func(t *testing.T) { wants(t, document(helvetica, c.drawing), c.want) })
	}
}

func TestPages(t *testing.T) {
	line := func(s string) string { return "BT /F 12 Tf 72 700 Td (" + s + ") Tj ET" }
	wants(t, document(helvetica, line("first"), "", line("third")), "[page 1]\nfirst\n\n[page 2]\n\n[page 3]\nthird")
}

// TestFonts is how fonts say what their characters mean.
func TestFonts(t *testing.T) {
	t.Run("by a table of their own", func(t *testing.T) {
		f := document("", "BT /F 12 Tf 72 700 Td <000100020003000A000B> Tj ET")
		table := f.deflated("1 begincodespacerange <0000> <ffff> endcodespacerange\n" +
			"2 beginbfchar <0001> <0416> <0002> <D83DDE00> endbfchar\n" +
			"2 beginbfrange <0003> <0004> <00660069> <000A> <000B> [<0041> <4E2D>] endbfrange")
		f.objects[2] = fmt.Sprintf("<</Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode %d 0 R /DescendantFonts [<</DW 1000 /W [1 [500 600] 3 3 700]>>]>>", table)
		wants(t, f, "Ж😀fiA中")
	})
	t.Run("by the names of their glyphs", func(t *testing.T) {
		f := document("<</Type /Font /Subtype /Type1 /Encoding <</Differences [1 /Aacute /fi /uni20AC 65 /B]>>>>",
			"BT /F 12 Tf 72 700 Td (\x01\x02\x03AC) Tj ET")
		wants(t, f, "Áfi€BC")
	})
	t.Run("in UTF-16", func(t *testing.T) {
		f := document("<</Type /Font /Subtype /Type0 /Encoding /UniGB-UCS2-H /DescendantFonts [<<>>]>>",
			"BT /F 12 Tf 72 700 Td <4F60597D> Tj ET")
		wants(t, f, "你好")
	})
	t.Run("not at all", func(t *testing.T) {
		f := document("<</Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<<>>]>>",
			"BT /F 12 Tf 72 700 Td <00010002> Tj ET")
		if _, status := reading(t, f.bytes()); status != exitPictures {
			t.Errorf("status %d", status)
		}
	})
}

// TestForms is text that stands in a drawing of its own.
func TestForms(t *testing.T) {
	f := document(helvetica, "BT /F 12 Tf 72 700 Td (before) Tj ET /X Do /Y Do BT 72 100 Td (after) Tj ET")
	good := f.stream("/Type /XObject /Subtype /Form /Matrix [1 0 0 1 0 -50]", "BT /F 12 Tf 72 700 Td (within) Tj ET")
	bad := f.stream("/Type /XObject /Subtype /Form /Filter /Nonsense", "x")
	f.objects[1] = strings.Replace(f.objects[1], "/Font <<", fmt.Sprintf("/XObject <</X %d 0 R /Y %d 0 R>> /Font <<", good, bad), 1)
	wants(t, f, "before\n\nwithin\n\nafter")
}

// TestWritersOfPDF is what programs write that the rules do not have.
func TestWritersOfPDF(t *testing.T) {
	whole := document(helvetica, "BT /F 12 Tf 72 700 Td (there) Tj ET").bytes()
	for name, pdf := range map[string][]byte{
		"version 2":           append([]byte("%PDF-2.0\n"), whole[9:]...),
		"a blank behind it":   bytes.Replace(whole, []byte("%PDF-1.4\n%"), []byte("%PDF-1.4 %"), 1),
		"something before it": append([]byte("\r\n\x00junk\n"), whole...),
		"something behind it": append(bytes.Clone(whole), strings.Repeat("<!-- junk -->\n", 50)...),
	} {
		t.Run(name, func(t *testing.T) {
			if got, status := reading(t, pdf); got != "there" || status != 0 {
				t.Errorf("status %d: %q", status, got)
			}
		})
	}
}

// TestRefused is what a status says of files that give no text.
func TestRefused(t *testing.T) {
	good := document(helvetica, "BT /F 12 Tf 72 700 Td (x) Tj ET")
	for _, c := range []struct {
		name string
		pdf  []byte
		want int
	}{
		{"nothing", nil, exitDamaged},
		{"not a PDF", []byte("<html>"), exitDamaged},
		{"cut in half", good.bytes()[:200], exitDamaged},
		{"without pages", (&file{trailer: "/Root 1 0 R", objects: []string{"<</Type /Catalog>>"}}).bytes(), exitDamaged},
		{"a root that cannot be read", (&file{trailer: "/Root 1 0 R", objects: []string{")"}}).bytes(), exitDamaged},
		{"a picture", document(helvetica, "q 100 0 0 100 0 0 cm /Im1 Do Q").bytes(), exitPictures},
		{"a password", locked(good, "secret").bytes(), exitLocked},
		{"a cipher nobody knows", bytes.Replace(good.bytes(), []byte("/Root"), []byte("/Encrypt <</Filter /Standard /V 9 /R 9>> /ID [(a)] /Root"), 1), exitLocked},
		{"too large", make([]byte, MaxFile+1), exitLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, status := reading(t, c.pdf)
			if status != c.want || text != "" {
				t.Errorf("%d (%s), want %d (%s); text %q", status, Explain(status), c.want, Explain(c.want), text)
			}
		})
	}
}

// locked encrypts the strings and streams of f with nobody's key; a reader that asks for no password sees that.
func locked(f *file, password string) *file {
	pad := "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"
	sum := md5.Sum([]byte((password + pad)[:32]))
	c, _ := rc4.NewCipher(sum[:5])
	u := []byte(pad)
	c.XORKeyStream(u, u)
	g := &file{objects: f.objects}
	g.trailer = fmt.Sprintf("/Root 1 0 R /ID [<00>] /Encrypt <</Filter /Standard /V 1 /R 2 /P 0 /O <%x> /U <%x>>>", pad, u)
	return g
}

// TestOnePageIsDamaged: the others are read, and the place is marked.
func TestOnePageIsDamaged(t *testing.T) {
	f := document(helvetica, "BT /F 12 Tf 72 700 Td (one) Tj ET", "BT /F 12 Tf 72 700 Td (two) Tj ET", "BT /F 12 Tf 72 700 Td (three) Tj ET")
	f.objects[5] = "<</Filter /Unheard /Length 3>>\nstream\nabc\nendstream" // the second page's
	wants(t, f, "[page 1]\none\n\n[page 2]\n[this page could not be read]\n\n[page 3]\nthree")
}

// TestOnePartIsDamaged: what a page says of itself is believed as far as it can be read.
func TestOnePartIsDamaged(t *testing.T) {
	f := document(helvetica, "BT /F 12 Tf 72 700 Td (one) Tj ET", "BT /F 12 Tf 72 700 Td (two) Tj ET")
	bad := f.add(")")
	f.objects[4] = strings.Replace(f.objects[4], "/Type /Page", fmt.Sprintf("/Type %d 0 R /Resources %d 0 R /Kids %d 0 R", bad, bad, bad), 1)
	wants(t, f, "[page 1]\none\n\n[page 2]\ntwo")
}

// TestBounds: what is too much is cut, and a line says so.
func TestBounds(t *testing.T) {
	t.Run("text", func(t *testing.T) {
		line := "BT /F 12 Tf 72 700 Td (" + strings.Repeat("words ", 200_000) + ") Tj ET"
		got, status := reading(t, document(helvetica, line, line, line, line, line).bytes())
		if len(got) > MaxText+1000 || !strings.HasSuffix(got, "[the rest is left out: the text is too long]") || status != 0 {
			t.Errorf("status %d, %d bytes, ending in %q", status, len(got), got[max(0, len(got)-60):])
		}
	})
	t.Run("a drawing", func(t *testing.T) {
		far := strings.Repeat(" ", maxContent) + "BT /F 12 Tf 72 700 Td (too far) Tj ET"
		wants(t, document(helvetica, "BT /F 12 Tf 72 700 Td (here) Tj ET"+far), "here")
	})
	t.Run("levels", func(t *testing.T) {
		f := document(helvetica, "BT /F 12 Tf 72 700 Td (below) Tj ET")
		f.objects[1] = strings.Replace(f.objects[1], "/Kids [", "/Kids [2 0 R ", 1)
		if got, status := reading(t, f.bytes()); status != exitPictures {
			t.Errorf("status %d: %.40q", status, got)
		}
	})
	t.Run("pages", func(t *testing.T) {
		f := document(helvetica, "BT /F 12 Tf 72 700 Td (again) Tj ET")
		f.objects[1] = strings.Replace(f.objects[1], "/Kids [5 0 R ]", "/Kids ["+strings.Repeat("5 0 R ", maxPages+10)+"]", 1)
		got, _ := reading(t, f.bytes())
		if n := strings.Count(got, "again"); n != maxPages || !strings.HasSuffix(got, "[the rest is left out: there are too many pages]") {
			t.Errorf("%d pages, ending in %q", n, got[max(0, len(got)-60):])
		}
	})
}
