package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/sandbox"
)

// record puts a recording into the inbox of an office.
func (o office) record(content string) event.File {
	o.Helper()
	f, err := o.Tools.FileTool.Receive(o.Context(), "voice.ogg", 1<<20, event.Label{}, strings.NewReader(content))
	if err != nil {
		o.Fatal(err)
	}
	return f
}

// A program of the owner's choice hears recordings, in the sandbox: what it prints are the words.
func TestHearByCommand(t *testing.T) {
	o := newOffice(t, nowhereToAsk)
	if o.Shell.Sandbox.Tier(t.Context()) == sandbox.T4 {
		t.Skip("this machine gives no sandbox")
	}
	f := o.record("buy milk\n")
	for _, c := range []struct {
		command []string
		want    string
		fails   string
	}{
		{[]string{"cat"}, "buy milk", ""},
		{[]string{"sed", "-n", "s/buy/get/p", "{file}"}, "get milk", ""},
		{[]string{"sh", "-c", `echo "no such model" >&2; exit 3`}, "", "sh failed (3): no such model"},
		{[]string{"true"}, "", "no words could be heard in this"},
		{[]string{"hob-nothing-of-that-name", "{file}"}, "", "hob-nothing-of-that-name failed (127): "},
		{[]string{"sh", "-c", "cat " + o.set.JournalPath()}, "", "sh failed"}, // it sees the workspace and nothing of hob's own
	} {
		o.set.Voice.Command = c.command
		words, err := o.set.Transcriber(o.Shell, o.Tools.FileTool)(t.Context(), f)
		if words != c.want || (err == nil) != (c.fails == "") || err != nil && !strings.HasPrefix(err.Error(), c.fails) {
			t.Errorf("%q: %q, %v", c.command, words, err)
		}
	}
	o.set.Voice.Command = nil
	if o.set.Transcriber(o.Shell, o.Tools.FileTool) != nil {
		t.Error("something hears without a command or a model")
	}
}

// A model of Ollama's hears recordings. They are WAV by then, where ffmpeg makes that of them.
func TestHearByModel(t *testing.T) {
	plain := newFakeOllama(t)
	heard := ""
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/audio/transcriptions", func(w http.ResponseWriter, r *http.Request) {
		file, head, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		raw, err := io.ReadAll(file)
		heard = fmt.Sprint(r.FormValue("model"), " ", head.Filename, " ", string(raw[:min(len(raw), 4)]), err)
		fmt.Fprint(w, `{"text":"buy milk"}`)
	})
	mux.Handle("/", plain.Config.Handler)
	server := httptest.NewServer(mux)
	defer server.Close()
	o := newOffice(t, server.URL)
	o.set.Voice.Model = plain.model
	words, err := o.set.Transcriber(o.Shell, o.Tools.FileTool)(t.Context(), o.record("OggS no sound"))
	if words != "buy milk" || err != nil {
		t.Errorf("%q, %v", words, err)
	}
	if want := plain.model + " voice.ogg OggS<nil>"; heard != want { // it is no recording: ffmpeg makes nothing of it
		t.Errorf("the model heard %q, want %q", heard, want)
	}
	o.set.Voice.Model = "deaf:1b"
	if words, err := o.set.Transcriber(o.Shell, o.Tools.FileTool)(t.Context(), o.record("OggS")); err == nil || !strings.HasPrefix(err.Error(), "deaf:1b could not hear this: ") {
		t.Errorf("%q, %v", words, err)
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil || o.Shell.Sandbox.Tier(t.Context()) == sandbox.T4 {
		t.Skip("WAV is not tried: there is no ffmpeg, or no sandbox for it")
	}
	sound, err := exec.CommandContext(t.Context(), "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=1", "-f", "ogg", "pipe:1").Output()
	if err != nil {
		t.Skipf("this ffmpeg makes no sound: %v", err)
	}
	o.set.Voice.Model = plain.model
	if _, err := o.set.Transcriber(o.Shell, o.Tools.FileTool)(t.Context(), o.record(string(sound))); err != nil || heard != plain.model+" voice.wav RIFF<nil>" {
		t.Errorf("%q, %v", heard, err)
	}
}
