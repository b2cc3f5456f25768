package secret_test

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/secret"
)

// Made up, as all keys in these tests.
const (
	token  = "7123456789:AAHk-9_xQzT3/Lm+WvYpR5sDfGjKbNcXeU0"
	phrase = "p&ss <wörd> \"50%\"\nline\\2"
)

// spelled are the ways in which a value is carried about, each written by somebody else's code.
func spelled(v string) map[string]string {
	all := map[string]string{
		"as it is":       v,
		"small":          lower(v),
		"capital":        upper(v),
		"hex":            hex.EncodeToString([]byte(v)),
		"capital hex":    strings.ToUpper(hex.EncodeToString([]byte(v))),
		"query":          url.QueryEscape(v),
		"path":           url.PathEscape(v),
		"JSON":           marshal(v),
		"Go":             strconv.QuoteToASCII(v),
		"HTML":           html.EscapeString(v),
		"every percent":  each(v, func(b byte) string { return fmt.Sprintf("%%%02X", b) }),
		"small percent":  each(v, func(b byte) string { return fmt.Sprintf("%%%02x", b) }),
		"every slash":    strings.ReplaceAll(v, "/", `\/`),
		"every \\u":      units(v, `\u%04x`),
		"capital \\u":    units(v, `\u%04X`),
		"every \\u{}":    runes(v, `\u{%x}`),
		"every number":   runes(v, "&#%d;"),
		"hex numbers":    runes(v, "&#x%04X;"),
		"Markdown":       markdown(v),
		"reversed":       reversed(v),
		"base64, in URL": url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(v))),
		"a third":        some(v, 3),
		"half":           some(v, 2),
	}
	for before := range 5 {
		for after := range 4 {
			long := []byte(strings.Repeat("\x9b", before) + v + strings.Repeat("\xe7", after))
			name := fmt.Sprintf(" %d %d", before, after)
			all["base64"+name] = base64.StdEncoding.EncodeToString(long)
			all["base64url"+name] = base64.RawURLEncoding.EncodeToString(long)
			all["base32"+name] = base32.StdEncoding.EncodeToString(long)
			all["small base32"+name] = strings.ToLower(base32.StdEncoding.EncodeToString(long))
		}
	}
	return all
}

func lower(s string) string {
	return strings.Map(func(r rune) rune { return ascii(r, 'A', 'Z', 32) }, s)
}
func upper(s string) string {
	return strings.Map(func(r rune) rune { return ascii(r, 'a', 'z', -32) }, s)
}

func ascii(r, from, to, shift rune) rune {
	if from <= r && r <= to {
		return r + shift
	}
	return r
}

func marshal(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func each(s string, as func(byte) string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(as(s[i]))
	}
	return b.String()
}

func runes(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

func units(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		if r > 0xffff {
			r -= 0x10000
			fmt.Fprintf(&b, format+format, 0xd800|r>>10, 0xdc00|r&0x3ff)
			continue
		}
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

func markdown(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\_*[]()~`>#+-=|{}.!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// some escapes every nth character, each in another way.
func some(s string, n int) string {
	var b strings.Builder
	i := 0
	for _, r := range s {
		c := string(r)
		if i%n == 0 {
			c = []string{each(c, func(b byte) string { return fmt.Sprintf("%%%02x", b) }), units(c, `\u%04x`), runes(c, "&#%d;"), runes(c, "&#x%x;")}[i/n%4]
		}
		b.WriteString(c)
		i++
	}
	return b.String()
}

func TestSpellings(t *testing.T) {
	for _, v := range []string{token, phrase, "hunter2", "пароль", "🔑🗝x", "AKIAXXXX%41YYYYZ", `a\u0041b\/c&amp;d`} {
		k := secret.New("another one", v)
		for name, text := range spelled(v) {
			for _, around := range []string{"", "a", "%", "\\", "&", "&#", "%2", "\n", "=", "[secret]"} {
				if strings.HasPrefix(name, "base") && around == "a" {
					continue // that is a digit of it
				}
				got := k.Redact(around + text + "\n" + around)
				if !strings.HasPrefix(got, around) || !strings.Contains(got, secret.Mark) {
					t.Errorf("%q, %s behind %q: %q became %q", v, name, around, text, got)
				}
				if left := len(strings.ReplaceAll(got, "=", "")) - 2*len(around) - len("\n"+secret.Mark); left > 14 { // what base64 has of the bytes beside it
					t.Errorf("%q, %s behind %q: %q became %q", v, name, around, text, got)
				}
				if k.Has(got) || !k.Has(around+text) {
					t.Errorf("%q, %s behind %q: Has(%q) = %v, before %v", v, name, around, got, k.Has(got), k.Has(text))
				}
			}
		}
	}
}

func TestRedact(t *testing.T) {
	for _, c := range []struct{ name, values, in, want string }{
		{"nothing", "hunter2", "", ""},
		{"none", "hunter2", "hunter 2", "hunter 2"},
		{"one", "hunter2", "it is hunter2.", "it is [secret]."},
		{"two side by side", "hunter2", "hunter2hunter2", "[secret][secret]"},
		{"two that overlap", "abcdefgh|efghijkl", "xabcdefghijklx", "x[secret]x"},
		{"one in the other", "abcdefgh|bcdefg", "xabcdefghx bcdefg", "x[secret]x [secret]"},
		{"one longer than the other", "abcdef|abcdefgh", "abcdef abcdefgh", "[secret] [secret]"},
		{"white space around", " hunter2\n", "hunter2\n", "[secret]\n"},
		{"too short", "abcde", "abcde", "abcde"},
		{"the mark itself", "secret|[SECRE|ecret]", "a secret [secret]", "a secret [secret]"},
		{"half of a token", "123456:ABC-DEF", "https://x.example/ABC-DEF and 123456", "https://x.example/[secret] and 123456"},
		{"a token in an address", "123456:ABC-DEF", "/bot123456%3AABC-DEF/getMe", "/bot[secret]/getMe"},
		{"the name of a host", "123456:ABC-DEF", "abc-def.evil.example", "[secret].evil.example"},
		{"a number and no token", "12:hunter2", "hunter2", "hunter2"},
		{"a blank as plus", "open sesame", "q=open+sesame&x", "q=[secret]&x"},
		{"a number without an end", "hunter2", "&#104unter2", "&#104unter2"},
		{"zeros", "hunter2", "&#0000104;unter2", "[secret]"},
		{"it begins with what its escape ends with", "%%%%%%25", "%25%25%25%25%25%25%2525", "[secret]"},
		{"a row of backslashes", `\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\x`, "a " + strings.Repeat(`\`, 32) + "x", "a [secret]"},
		{"a row of them, escaped", strings.Repeat(`\&%`, 20), "x " + strings.Repeat(`\\&amp;%25`, 20) + "x", "x [secret]x"},
		{"backslashes", `\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\x`, strings.Repeat(`\`, 99) + "y", strings.Repeat(`\`, 99) + "y"},
	} {
		k := secret.New(strings.Split(c.values, "|")...)
		if got := k.Redact(c.in); got != c.want {
			t.Errorf("%s: Redact(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
		if got := k.Has(c.in); got != (c.want != c.in) {
			t.Errorf("%s: Has(%q) = %v", c.name, c.in, got)
		}
	}
}

func TestNoSecrets(t *testing.T) {
	for name, k := range map[string]*secret.Redactor{"nil": nil, "zero": {}, "empty": secret.New(), "short": secret.New("", "a")} {
		s, out := k.Stream(), new(bytes.Buffer)
		w := k.Writer(out)
		_, err := w.Write([]byte("hunter2"))
		got := []any{k.Redact("hunter2"), k.Has("hunter2"), s.Add("hunter2"), s.Rest(), out.String(), err, w.Close()}
		if diff := cmp.Diff([]any{"hunter2", false, "hunter2", "", "hunter2", nil, nil}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestStream(t *testing.T) {
	s := secret.New("hunter2", "hunter22 and more").Stream()
	var got []string
	for _, piece := range []string{"the word is h", "unt", "er2", "2 and no more", ", hunted", " hu", "nter", "&#5", "0;", "x h"} {
		got = append(got, s.Add(piece))
	}
	want := []string{"the word is ", "", "", "[secret]2 and no mor", "e, hunted", " ", "", "", "", "[secret]x "}
	if diff := cmp.Diff(append(want, "h", ""), append(got, s.Rest(), s.Rest())); diff != "" {
		t.Error(diff)
	}
}

func TestWriter(t *testing.T) {
	var out strings.Builder
	w := secret.New("hunter2").Writer(&out)
	for _, c := range []struct{ write, have string }{
		{"level=INFO msg=hunter2\n", "level=INFO msg=[secret]\n"},
		{"half: hun", "level=INFO msg=[secret]\nhalf: "},
		{"ter2\n", "level=INFO msg=[secret]\nhalf: [secret]\n"},
		{"hunt", "level=INFO msg=[secret]\nhalf: [secret]\n"},
	} {
		if n, err := w.Write([]byte(c.write)); n != len(c.write) || err != nil {
			t.Errorf("Write(%q) = %d, %v", c.write, n, err)
		}
		if out.String() != c.have {
			t.Errorf("after %q: %q, want %q", c.write, out.String(), c.have)
		}
	}
	if err := w.Close(); err != nil || !strings.HasSuffix(out.String(), "\nhunt") {
		t.Errorf("Close() = %v, and %q", err, out.String())
	}
	if n, err := secret.New("hunter2").Writer(full{}).Write([]byte("x\n")); n != 0 || !errors.Is(err, errFull) {
		t.Errorf("Write to a full disk = %d, %v", n, err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// pieces are what texts in properties are made of: spellings, parts of them, and what escapes begin with.
func pieces(values []string) *rapid.Generator[string] {
	var all []string
	for _, v := range values {
		for _, text := range spelled(v) {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	all = append(all, "%", "%2", "&", "&#", "&#1", ";", "\\", "\\u", "\\u00", "\\ud83d", "0", "a", " ", "\n", "\xff", "й", "&am", "{", "}")
	return rapid.Custom(func(t *rapid.T) string {
		p := rapid.SampledFrom(all).Draw(t, "piece")
		cut := rapid.IntRange(0, len(p)).Draw(t, "cut")
		return rapid.SampledFrom([]string{p, p[:cut], p[cut:]}).Draw(t, "part")
	})
}

func TestAnyCutIsTheSame(t *testing.T) {
	values := []string{token, phrase, "hunter2", "ter2ABC", "🔑🗝x", `x\u0041%41&#65`}
	k := secret.New(values...)
	piece := pieces(values)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "text"), "")
		sameInPieces(t, k, text, func(most int) int { return rapid.IntRange(1, most).Draw(t, "length") })
		if got := k.Redact(text); k.Has(got) && !strings.Contains(text, secret.Mark) {
			t.Fatalf("Redact(%q) = %q, which has a secret", text, got)
		}
	})
}

// sameInPieces holds a stream of text, cut somehow, and one of its bytes, against the whole.
func sameInPieces(t interface{ Fatalf(string, ...any) }, k *secret.Redactor, text string, length func(most int) int) {
	want := k.Redact(text)
	for _, single := range []bool{false, true} {
		s, got := k.Stream(), ""
		for rest := text; rest != ""; {
			n := 1
			if !single {
				n = length(min(len(rest), 20))
			}
			got += s.Add(rest[:n])
			rest = rest[n:]
		}
		if got += s.Rest(); got != want {
			t.Fatalf("in pieces %q became %q, and the whole %q", text, got, want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	values := []string{token, phrase, "hunter2", "🔑🗝x"}
	for _, v := range values {
		for _, text := range spelled(v) {
			f.Add("a "+text, v, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, text, value string, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0))
		k := secret.New("hunter2", value)
		sameInPieces(t, k, text, func(most int) int { return 1 + random.IntN(most) })
		value = strings.TrimSpace(value)
		if len(value) < secret.Shortest || len(value) > 200 || strings.ContainsAny(value, "[]") || !utf8.ValidString(value) {
			return
		}
		if strings.Contains(secret.Mark, strings.ToLower(value)) {
			return
		}
		for name, s := range spelled(value) {
			if strings.ContainsAny(value, "\x00�") && (name == "HTML" || name == "JSON") || strings.Contains(name, "base") && strings.Contains(text, "/") {
				continue
			}
			if !k.Has(" " + s + "\n") {
				t.Fatalf("%q, %s: not found in %q", value, name, s)
			}
		}
		if got := k.Redact(text + " " + value + "\n"); k.Has(got) {
			t.Fatalf("%q in %q is still in %q", value, text, got)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var values []string
	for range 20 {
		v := make([]byte, 45)
		for i := range v {
			v[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[random.IntN(64)]
		}
		values = append(values, string(v))
	}
	k := secret.New(values...)
	digits := make([]byte, 3<<18)
	for i := range digits {
		digits[i] = byte(random.Uint32())
	}
	for name, text := range map[string]string{
		"prose":   strings.Repeat("The quick brown fox jumps over the lazy dog, and nobody minds it at all.\n", 1<<20/73),
		"base64":  base64.StdEncoding.EncodeToString(digits),
		"escapes": strings.Repeat(`%41%62&#67;&amp;\u0041\"`, 1<<20/24),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				k.Redact(text)
			}
		})
	}
}
