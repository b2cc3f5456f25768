package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm/ollama"
	"hob/internal/sandbox"
	"hob/internal/tools/files"
)

// Limits for transcribing and for converting a recording.
const (
	transcribeTimeout = 5 * time.Minute
	convertTimeout    = time.Minute
)

// filePlaceholder stands for the recording's path in [voice] command.
const filePlaceholder = "{file}"

// Transcriber returns a function that transcribes a recording in the workspace, or nil if none is
// configured. Its errors are sentences for the sender of the recording.
func (s *Environment) Transcriber(shell *Shell, files *files.FileTool) func(context.Context, event.File) (string, error) {
	switch {
	case len(s.Voice.Command) > 0:
		return func(ctx context.Context, f event.File) (string, error) { return s.transcribeByCommand(ctx, shell, f) }
	case s.Voice.Model != "":
		return func(ctx context.Context, f event.File) (string, error) {
			return s.transcribeByModel(ctx, shell, files, f)
		}
	}
	return nil
}

// transcribeByCommand runs the configured program in the sandbox, in the workspace and without a
// network. Its output is the transcript.
func (s *Environment) transcribeByCommand(ctx context.Context, shell *Shell, f event.File) (string, error) {
	tool, err := shell.NewTool(s, false, nil)
	if err != nil {
		return "", err
	}
	policy, env, err := tool.Prepare(ctx, false)
	if err != nil {
		return "", errors.New("voice messages cannot be heard: there is no sandbox on this machine to run [voice] command in")
	}
	args, named := make([]string, 0, len(s.Voice.Command)+1), false
	for _, word := range s.Voice.Command {
		named = named || strings.Contains(word, filePlaceholder)
		args = append(args, strings.ReplaceAll(word, filePlaceholder, filepath.Join(s.WorkspaceDir, f.Path)))
	}
	if !named {
		args = append(args, filepath.Join(s.WorkspaceDir, f.Path))
	}
	out, err := shell.Sandbox.Run(ctx, policy, sandbox.Command{Args: args, Env: env, Timeout: transcribeTimeout})
	switch {
	case err != nil:
		return "", fmt.Errorf("voice messages cannot be heard: %w", err)
	case out.TimedOut:
		return "", fmt.Errorf("it took longer than %s to hear this", transcribeTimeout)
	case out.Exit != 0:
		return "", fmt.Errorf("%s failed (%d): %s", s.Voice.Command[0], out.Exit, lastErrorLine(out))
	}
	return checkTranscript(string(out.Stdout.Head) + string(out.Stdout.Tail))
}

// lastErrorLine returns the last line of standard error, or the reason why the program did not run.
func lastErrorLine(out sandbox.Outcome) string {
	if out.Error != "" {
		return out.Error
	}
	text := strings.TrimSpace(string(out.Stderr.Head) + string(out.Stderr.Tail))
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if text == "" {
		return "it did not say why"
	}
	return display.Clean(display.TruncateBytes(text, 200))
}

// checkTranscript returns the trimmed text, or an error if it is empty.
func checkTranscript(words string) (string, error) {
	if words = strings.TrimSpace(words); words == "" {
		return "", errors.New("no words could be heard in this")
	}
	return words, nil
}

// transcribeByModel has a model on Ollama transcribe a recording.
func (s *Environment) transcribeByModel(ctx context.Context, shell *Shell, files *files.FileTool, f event.File) (string, error) {
	r, err := files.Open(ctx, f)
	if err != nil {
		return "", err
	}
	audio, err := io.ReadAll(io.LimitReader(r, ollama.MaxAudio))
	if err := errors.Join(err, r.Close()); err != nil {
		return "", err
	}
	name := f.Name
	if wav, ok := s.convertToWAV(ctx, shell, audio); ok {
		name, audio = "voice.wav", wav
	}
	words, err := s.OllamaClient.For(s.Voice.Model, 0).Transcribe(ctx, name, audio)
	if err != nil {
		return "", fmt.Errorf("%s could not hear this: %w", s.Voice.Model, err)
	}
	return checkTranscript(words)
}

// convertToWAV converts a recording with ffmpeg in the sandbox, because Ollama's models read no
// Opus. It reports false without ffmpeg or without a sandbox.
func (s *Environment) convertToWAV(ctx context.Context, shell *Shell, audio []byte) ([]byte, bool) {
	if _, err := exec.LookPath("ffmpeg"); err != nil || shell.Sandbox.Tier(ctx) == sandbox.T4 {
		return nil, false
	}
	out, err := shell.runConverter(ctx, s, ollama.MaxAudio, sandbox.Command{
		Args:  []string{"ffmpeg", "-loglevel", "error", "-i", "pipe:0", "-f", "wav", "-ac", "1", "-ar", "16000", "pipe:1"},
		Stdin: audio, Env: []string{"PATH=/usr/bin:/bin"}, Timeout: convertTimeout,
	})
	if err != nil || out.Exit != 0 || out.Flooded {
		return nil, false
	}
	return append(out.Stdout.Head, out.Stdout.Tail...), true
}
