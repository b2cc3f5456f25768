// Package blobs keeps long results of tools, so that a model can read on in them under a handle such as "out:7". Handles count
// up in each chat, and none is used twice; those of one chat mean nothing in another.
//
// On disk the result out:7 is the file DIR/CHAT/7.txt, where CHAT is a readable part of the chat's name and the SHA-256
// of all of it. DIR/CHAT/7.from says where it comes from, as JSON, and holds for a text of one SHA-256 only: without it, or
// where that differs, the text is private and a stranger's. Both are written under a name that begins with [tree.TempPrefix],
// synced and renamed, the text last. The numbers go on after the largest that is there, so who removes files by hand leaves
// the newest of each chat. All of it may go while no hob runs and no conversation is to go on: the journal has what mattered.
package blobs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/lazyregexp"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// Bounds of a [Store].
const (
	defaultBlob = 1 << 20
	minBlob     = 1 << 10 // less would not hold two ends and what is said between them
	defaultChat = 64 << 20
	maxNumber   = 999_999_999_999_999
)

// Config says where a [Store] lies and how large it grows.
type Config struct {
	Dir     string // made with the first result, readable for this user only
	MaxBlob int64  // bytes kept of a result, 1 KiB to 16 MiB: of a longer one both ends; 0 means 1 MiB
	MaxChat int64  // bytes kept of a chat's results: the oldest go, the newest stays; 0 means 64 MiB
}

// Store keeps long results of tools. It is safe for concurrent use in one process, and one process at a time has a Dir.
type Store struct {
	dir  string
	most int64
	room int64
	save func(*os.File, []byte) error // writes a temporary file

	mu    sync.Mutex
	chats map[event.Chat]*index
}

// index lists the results of one chat.
type index struct {
	last  int64  // the largest number there ever was
	blobs []blob // by number
	bytes int64
}

type blob struct{ number, bytes int64 }

// New touches nothing on the disk.
func New(c Config) (*Store, error) {
	if c.Dir == "" {
		return nil, errors.New("set up the results of tools: their folder has no name")
	}
	if c.MaxBlob < 0 || c.MaxChat < 0 {
		return nil, errors.New("set up the results of tools: a bound is negative")
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder for results of tools: %w", err)
	}
	s := &Store{dir: dir, most: defaultBlob, room: defaultChat, save: tree.SaveAll, chats: map[event.Chat]*index{}}
	if c.MaxBlob > 0 {
		s.most = min(max(c.MaxBlob, minBlob), tree.MaxFile)
	}
	if c.MaxChat > 0 {
		s.room = c.MaxChat
	}
	return s, nil
}

// Dir is the folder of the store.
func (s *Store) Dir() string { return s.dir }

// Put keeps text, which comes from there, as a result of the chat that ctx is of ([tools.CallerFrom]) and returns its handle.
// After an error there is no handle; the caller shows the model what it can and goes on.
func (s *Store) Put(ctx context.Context, text string, from event.Label) (handle string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("keep a result: %w", err)
		}
	}()
	chat := tools.CallerFrom(ctx).Chat
	switch {
	case chat == "":
		return "", errors.New("the call is of no chat")
	case text == "":
		return "", errors.New("it is empty")
	}
	if err := os.MkdirAll(filepath.Join(s.dir, folderOf(chat)), 0o700); err != nil {
		return "", err
	}
	d, err := s.openChat(chat)
	if err != nil {
		return "", err
	}
	defer d.Close()
	x, err := s.indexOf(chat, d)
	if err != nil {
		return "", err
	}
	n, err := s.write(d, x, []byte(shorten(strings.ToValidUTF8(text, "\uFFFD"), int(s.most))), from)
	if err != nil {
		return "", err
	}
	return "out:" + strconv.FormatInt(n, 10), nil
}

// write makes content a file of the next free number, and says beside it where it comes from.
func (s *Store) write(d *tree.Dir, x *index, content []byte, from event.Label) (n int64, err error) {
	said, err := json.Marshal(origin{Label: from, Sum: tree.SumOf(content)})
	if err != nil {
		return 0, err
	}
	origin, err := s.temp(d, said)
	defer func() {
		if err != nil {
			err = errors.Join(err, tree.IgnoreMissing(d.Root.Remove(origin)))
		}
	}()
	if err != nil {
		return 0, err
	}
	text, err := s.temp(d, content)
	defer func() {
		if err != nil {
			err = errors.Join(err, tree.IgnoreMissing(d.Root.Remove(text)))
		}
	}()
	if err != nil {
		return 0, err
	}
	if n, err = s.number(d, x, text, origin, int64(len(content))); err != nil {
		return 0, err
	}
	return n, d.Sync() // or a power cut could take the name back, and the number be given to another result
}

// number gives a text of so many bytes, and what is said of it, the next number, and lets the oldest go. What was said of a
// number that turns out to be taken does not fit the text there.
func (s *Store) number(d *tree.Dir, x *index, text, origin string, bytes int64) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if x.last >= maxNumber {
			return 0, errors.New("there are no more numbers")
		}
		x.last++
		if err := d.Rename(origin, originOf(x.last), true); err != nil {
			return 0, err
		}
		origin = originOf(x.last)
		if err := d.Rename(text, fileOf(x.last), false); err == nil {
			break
		} else if !errors.Is(err, fs.ErrExist) {
			return 0, errors.Join(err, d.Root.Remove(origin))
		}
	}
	x.blobs = append(x.blobs, blob{number: x.last, bytes: bytes})
	x.bytes += bytes
	for x.bytes > s.room && len(x.blobs) > 1 {
		if err := tree.IgnoreMissing(d.Root.Remove(fileOf(x.blobs[0].number))); err != nil {
			break // it counts on, and is tried again with the next result
		}
		_ = d.Root.Remove(originOf(x.blobs[0].number)) // alone it is nothing; a later hob removes it
		x.bytes -= x.blobs[0].bytes
		x.blobs = x.blobs[1:]
	}
	return x.last, nil
}

// Open returns the text of a result of the chat that ctx is of, and where it comes from.
func (s *Store) Open(ctx context.Context, handle string) (string, event.Label, *tools.Error) {
	from := event.Label{Private: true, Untrusted: true, Source: handle} // where nobody says
	parts := outHandle().FindStringSubmatch(handle)
	if parts == nil {
		return "", from, tools.Invalid(event.CodeInvalidValue, "%s is no stored result: those are named like out:7", display.Quote(handle)).
			Suggest("a file of that name is read as ./NAME")
	}
	if s == nil {
		return "", from, tools.Missing(event.CodeFileNotFound, "there is no %s: results are not stored here", handle)
	}
	text, said, err := s.read(tools.CallerFrom(ctx).Chat, parts[1])
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && text == "":
		return "", from, tools.Missing(event.CodeFileNotFound, "%s is no longer kept: call the tool again", handle)
	case err != nil:
		return "", from, tools.StorageFailed("%s: %s", handle, display.Reason(err))
	}
	if said != nil {
		from = *said
		from.Source = cmp.Or(from.Source, handle)
	}
	return text, from, nil
}

// openChat opens the folder of a chat, and nothing else that may lie there under its name.
func (s *Store) openChat(chat event.Chat) (*tree.Dir, error) {
	return tree.OpenPlainDir(filepath.Join(s.dir, folderOf(chat)))
}

// indexOf returns the index of a chat. It makes one of the names in its folder d where there is none.
func (s *Store) indexOf(chat event.Chat, d *tree.Dir) (*index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.chats[chat]; x != nil {
		return x, nil
	}
	names, err := d.Self.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	x := &index{}
	for _, name := range names {
		if strings.HasPrefix(name, tree.TempPrefix) {
			_ = d.Root.Remove(name) // of a hob that was killed; nobody of this one has written here yet
			continue
		}
		number, ok := strings.CutSuffix(name, ".txt")
		if !ok || !outHandle().MatchString("out:"+number) {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			continue
		}
		x.last = max(x.last, n)
		if info, err := d.Root.Lstat(name); err == nil && info.Mode().IsRegular() {
			x.blobs = append(x.blobs, blob{number: n, bytes: info.Size()})
			x.bytes += info.Size()
		}
	}
	sort.Slice(x.blobs, func(i, j int) bool { return x.blobs[i].number < x.blobs[j].number })
	x.sweep(d, names)
	s.chats[chat] = x
	return x, nil
}

var outHandle = lazyregexp.New(`^out:([1-9][0-9]{0,14})$`)

// folderOf is the name of a chat's folder: no two chats share one, also where names ignore case.
func folderOf(chat event.Chat) string {
	const most = 40 // bytes of the readable part
	readable := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		case 'A' <= r && r <= 'Z':
			return r + ('a' - 'A')
		case r < 0x80:
			return '-'
		}
		return -1
	}, string(chat))
	sum := sha256.Sum256([]byte(chat))
	return readable[:min(len(readable), most)] + "-" + hex.EncodeToString(sum[:])
}

func fileOf(number int64) string { return strconv.FormatInt(number, 10) + ".txt" }

// shorten cuts a text of more than most bytes to its two ends and a line that says what is missing. More of the
// beginning is kept, where headings stand.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const reserve = 200 // for that line
	head := (most - reserve) * 3 / 5
	tail := most - reserve - head
	return sandbox.Output{
		Head: []byte(text[:head]), Tail: []byte(text[len(text)-tail:]), Total: int64(len(text)),
	}.TextWith("are missing here: it was longer than what is stored of a result")
}
