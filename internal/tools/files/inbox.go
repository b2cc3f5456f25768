package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// inbox is the folder of the workspace where files go that people send.
const inbox = "inbox"

const (
	maxInboxName = 80       // bytes of a received file's name
	maxSent      = 50 << 20 // bytes of a file that is sent: what Telegram takes from a bot
	headBytes    = 512      // bytes that a media type is told by
)

// Receive puts what a person has sent into the workspace's inbox, marked as a stranger's where from says so. name is the
// sender's and may be anything; what cannot stand in a file's name is replaced, and a name that is taken gets a number. More
// than most bytes, or 16 MiB, are refused. It can be taken back like any other change.
func (f *FileTool) Receive(ctx context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error) {
	most = min(most, tree.MaxFile)
	raw, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return event.File{}, fmt.Errorf("receive a file: %w", err)
	}
	clean := inboxName(name)
	if int64(len(raw)) > most {
		return event.File{}, fmt.Errorf("%s has more than %d bytes, which is more than is received here", clean, most)
	}
	caller := tools.CallerFrom(ctx)
	caller.Label = caller.Label.Join(from)
	ctx = tools.WithCaller(ctx, caller)
	for n := 1; n < 1000; n++ {
		p, bad := f.tree.ResolveFile(path.Join(inbox, numberedName(clean, n)))
		if bad != nil {
			return event.File{}, bad
		}
		taken := false
		done := f.origins.Look()
		d, did, bad := f.put(ctx, p, "receive", true, func(old *tree.Existing) ([]byte, *tools.Error) {
			if taken = old != nil; taken {
				return nil, p.Exists()
			}
			return raw, nil
		})
		done()
		if taken {
			continue
		}
		if bad != nil {
			return event.File{}, bad
		}
		return event.File{Name: path.Base(d.Path), Type: typeOf(d.Path, raw), Path: d.Path, Bytes: did.Bytes, Sum: did.Sum}, nil
	}
	return event.File{}, fmt.Errorf("there are too many files like %s in %s: clear it up", clean, inbox)
}

// inboxName is a file's name made of whatever somebody called it.
func inboxName(name string) string {
	var b strings.Builder
	for _, r := range path.Base("/" + strings.ReplaceAll(name, "\\", "/")) {
		switch {
		case r == utf8.RuneError:
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r), strings.ContainsRune("._-+()", r):
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	clean := strings.TrimLeft(b.String(), ".-")
	ext := path.Ext(clean)
	if len(ext) > 10 {
		ext = ""
	}
	stem := strings.TrimSuffix(clean, ext)
	stem = stem[:display.CutAt(stem, maxInboxName-len(ext))]
	if strings.Trim(stem, "_.") == "" {
		stem = "file"
	}
	return stem + ext
}

// numberedName is a name with a number, from the second on.
func numberedName(name string, n int) string {
	if n == 1 {
		return name
	}
	ext := path.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
}

// typeOf tells a media type by what a file holds, and where that is nothing special by its name.
func typeOf(name string, head []byte) string {
	kind := http.DetectContentType(head[:min(len(head), headBytes)])
	if known := mime.TypeByExtension(path.Ext(name)); known != "" && (strings.HasPrefix(kind, "text/plain") || kind == "application/octet-stream") &&
		!strings.HasPrefix(known, "image/") {
		kind = known
	}
	kind, _, _ = strings.Cut(kind, ";")
	return kind
}

type sendArgs struct {
	Path string `json:"path"`
}

// SendTool returns the tool that hands a file to whoever asks over a chat. It goes to them and to nobody else.
func (f *FileTool) SendTool() tools.Tool {
	return tools.New(tools.Def{
		Name:         "send_file",
		Description:  "Send the user a file.",
		Capabilities: tools.Reads | tools.Sends | tools.Private,
		Platforms:    []string{"telegram"},
		Scopes:       tools.PrivateScopes(),
		ResourcesOf:  func(json.RawMessage) []tools.Resource { return []tools.Resource{{ToAsker: true}} },
	}, f.send)
}

func (f *FileTool) send(ctx context.Context, in sendArgs) (tools.Result, error) {
	p, bad := f.tree.ResolveFile(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	file, info, bad := f.tree.OpenRegular(p)
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	defer file.Close()
	switch {
	case info.Size() > maxSent:
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "%s has %d bytes, and no more than %d can be sent",
			p.Name(), info.Size(), int64(maxSent))
	case info.Size() == 0:
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "%s is empty, which cannot be sent", p.Name())
	}
	sum, size, head, err := hashFile(file)
	if err != nil {
		return tools.Result{}, p.Fault(err)
	}
	out := event.File{Name: filepath.Base(p.Rel), Type: typeOf(p.Rel, head), Path: p.Shown(), Bytes: size, Sum: sum}
	shown := origins.Shown{}
	shown.AddPath(p)
	return tools.Result{
		Text: fmt.Sprintf("%s (%d bytes) is handed over to the chat", p.Name(), size), Files: []event.File{out},
		Effects: []event.Effect{{Kind: "sent", Target: p.Shown(), Bytes: size}}, Label: f.origins.Label(ctx, p, shown),
	}, nil
}

// hashFile reads a file from its beginning.
func hashFile(r io.ReadSeeker) (sum string, size int64, head []byte, err error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return "", 0, nil, err
	}
	head = make([]byte, headBytes)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", 0, nil, err
	}
	h := sha256.New()
	h.Write(head[:n])
	rest, err := io.Copy(h, io.LimitReader(r, maxSent))
	return hex.EncodeToString(h.Sum(nil)), int64(n) + rest, head[:n], err
}

// Open opens a file that send_file has handed over, or that was received. One that is otherwise by now is an error: what
// was agreed to was another.
func (f *FileTool) Open(_ context.Context, handed event.File) (io.ReadCloser, error) {
	p, bad := f.tree.ResolveFile(handed.Path)
	if bad != nil {
		return nil, bad
	}
	file, _, bad := f.tree.OpenRegular(p)
	if bad != nil {
		return nil, bad
	}
	sum, _, _, err := hashFile(file)
	if err == nil && sum != handed.Sum {
		err = fmt.Errorf("%s has changed since: ask for it again", p.Name())
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
