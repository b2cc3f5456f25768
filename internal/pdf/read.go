package pdf

import (
	"bytes"
	"errors"
	"io"

	lib "github.com/ledongthuc/pdf"
)

// Bounds on a file's structure.
const (
	maxPages   = 5000
	maxNodes   = 4 * maxPages // of the tree of pages
	maxLevels  = 40           // of that tree
	maxForms   = 500          // drawings within one page's drawing
	maxNested  = 8            // levels of those
	maxContent = 32 << 20     // bytes of one stream, decompressed
)

// unreadable stands for a page that could not be read.
const unreadable = "[this page could not be read]"

// read adds the text of a file's pages to text.
func read(file []byte, text *pages) (err error) {
	defer func() {
		if recover() != nil { // the library panics where a file is not as it should be
			err = errDamaged
		}
	}()
	file = trim(file)
	r, err := lib.NewReader(bytes.NewReader(file), int64(len(file)))
	switch {
	case errors.Is(err, lib.ErrInvalidPassword):
		return errLocked
	case err != nil && bytes.Contains(file, []byte("/Encrypt")):
		return errLocked // with what the library does not know
	case err != nil:
		return errDamaged
	}
	t := &tree{text: text, nodes: maxNodes, fonts: map[string]*font{}}
	root := r.Trailer().Key("Root").Key("Pages")
	if root.Kind() != lib.Dict {
		return errDamaged
	}
	return t.walk(root, lib.Value{}, 0)
}

// trim cuts what stands before and behind the PDF in a file, which the library does not look past, and gives it a first
// line of the kind that the library knows. Positions in a PDF count from its first line.
func trim(file []byte) []byte {
	const start, version = "%PDF-", "%PDF-1.7\n"
	if i := bytes.Index(file[:min(len(file), 1024)], []byte(start)); i > 0 {
		file = file[i:]
	}
	if bytes.HasPrefix(file, []byte(start)) && len(file) > len(version) {
		copy(file, version)
	}
	if i := bytes.LastIndex(file, []byte("%%EOF")); i >= 0 {
		file = file[:i+len("%%EOF")]
	}
	return file
}

// tree walks the tree of pages. A tree that runs in circles comes to its bounds.
type tree struct {
	text  *pages
	nodes int // that may still be visited
	pages int
	fonts map[string]*font
}

// walk reads the pages below node, in order. resources are those of the nodes above.
func (t *tree) walk(node, resources lib.Value, level int) error {
	if t.nodes--; t.nodes < 0 || level > maxLevels || t.pages >= maxPages {
		return errMany
	}
	if own := keyOf(node, "Resources"); own.Kind() == lib.Dict {
		resources = own
	}
	kids := keyOf(node, "Kids")
	if kids.Kind() != lib.Array {
		if node.Kind() != lib.Dict || keyOf(node, "Type").Name() == "Pages" {
			return nil
		}
		t.pages++
		return t.text.add(pageText(node, resources, t.fonts))
	}
	for i := range kids.Len() {
		if err := t.walk(safely(func() lib.Value { return kids.Index(i) }), resources, level+1); err != nil {
			return err
		}
	}
	return nil
}

// keyOf returns what a dictionary has under a key, null where that is damaged.
func keyOf(v lib.Value, key string) lib.Value { return safely(func() lib.Value { return v.Key(key) }) }

// safely returns what f returns, or null where it panics.
func safely(f func() lib.Value) (v lib.Value) {
	defer func() {
		if recover() != nil {
			v = lib.Value{}
		}
	}()
	return f()
}

// pageText returns the text of a page. Where a page breaks off, what came before stays.
func pageText(page, resources lib.Value, fonts map[string]*font) (text string) {
	d := &drawing{fonts: fonts, forms: maxForms}
	defer func() {
		broken := recover() != nil
		if text = d.out.text(); broken && text == "" {
			text = unreadable
		}
	}()
	d.draw(contents(page.Key("Contents")), resources, identity(), 0)
	return ""
}

// contents returns what a page's streams say, one after the other. One that cannot be decoded is left out, unless it is
// the only one.
func contents(v lib.Value) []byte {
	if v.Kind() != lib.Array {
		return streamBytes(v)
	}
	var all []byte
	for i := range v.Len() {
		part := safely(func() lib.Value { return v.Index(i) })
		func() {
			defer func() { _ = recover() }()
			all = append(append(all, streamBytes(part)...), '\n')
		}()
		if len(all) > maxContent {
			break
		}
	}
	return all
}

// streamBytes returns what a stream holds, up to where its compression breaks. It panics where it cannot be decoded.
func streamBytes(v lib.Value) []byte {
	if v.Kind() != lib.Stream {
		return nil
	}
	in := v.Reader()
	defer in.Close()
	data, _ := io.ReadAll(io.LimitReader(in, maxContent)) // the part before the error is still of use
	return data
}
