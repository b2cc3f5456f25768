package inbound

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/retry"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

const (
	maxPictureSide  = 1568    // pixels; models do not see more detail
	maxPictureBytes = 5 << 20 // for a picture of unknown size in pixels
	usualMaxFile    = 20 << 20
	fetchTries      = 3
	maxGuestFiles   = 20              // an hour, from a person in a group who was not admitted: files fill the household's disk
	fetchTime       = 3 * time.Minute // for one file, including all tries
)

// attachment is a file as it was sent.
type attachment struct {
	client.Attachment
	kind string // file, picture, voice, audio or video
	name string // from the sender, or made up
}

// attachmentOf returns the file of a message.
func attachmentOf(m *client.Message) (attachment, bool) {
	number := strconv.FormatInt(m.ID, 10)
	for _, s := range []struct {
		a          *client.Attachment
		kind, name string
	}{
		{bestSize(m.Photo), "picture", "photo-" + number + ".jpg"},
		{m.Voice, "voice", "voice-" + number + ".ogg"},
		{m.Audio, "audio", "audio-" + number + ".mp3"},
		{m.Video, "video", "video-" + number + ".mp4"},
		{m.VideoNote, "video", "video-" + number + ".mp4"},
		{m.Animation, "video", "animation-" + number + ".mp4"}, // it is also sent as a document
		{m.Document, "file", "file-" + number},
	} {
		if s.a != nil {
			return attachment{*s.a, s.kind, cmp.Or(strings.TrimSpace(s.a.Name), s.name)}, true
		}
	}
	return attachment{}, false
}

// bestSize returns the largest useful size of a picture, or the smallest of all.
func bestSize(sizes []client.Attachment) *client.Attachment {
	var best *client.Attachment
	for i, s := range sizes {
		if isUseful(s) && (best == nil || s.Width*s.Height > best.Width*best.Height) {
			best = &sizes[i]
		}
	}
	for i, s := range sizes {
		if best == nil || !isUseful(*best) && s.Width*s.Height < best.Width*best.Height {
			best = &sizes[i]
		}
	}
	return best
}

// isUseful reports whether a picture has a useful size.
func isUseful(s client.Attachment) bool {
	if side := max(s.Width, s.Height); side > 0 {
		return side <= maxPictureSide
	}
	return s.Size < maxPictureBytes
}

// ignoredFields are the fields of a message that need no answer: those of every message, those that
// hob reads, and those about the chat itself, such as a pinned message. A message with another
// field is of a kind that hob does not know.
func ignoredFields() map[string]bool {
	const fields = `message_id message_thread_id direct_messages_topic from sender_chat sender_boost_count sender_business_bot sender_tag date
		business_connection_id chat forward_origin forward_from forward_from_chat forward_from_message_id forward_signature forward_sender_name
		forward_date is_topic_message is_automatic_forward reply_to_message external_reply quote reply_to_story reply_to_checklist_task_id via_bot
		edit_date has_protected_content is_from_offline is_paid_post media_group_id author_signature paid_star_count text entities
		link_preview_options suggested_post_info effect_id caption caption_entities show_caption_above_media has_media_spoiler reply_markup
		photo document voice audio video video_note animation sticker location venue contact
		new_chat_members new_chat_member new_chat_participant left_chat_member left_chat_participant chat_owner_left chat_owner_changed
		new_chat_title new_chat_photo delete_chat_photo group_chat_created supergroup_chat_created channel_chat_created
		message_auto_delete_timer_changed migrate_to_chat_id migrate_from_chat_id pinned_message connected_website write_access_allowed
		proximity_alert_triggered boost_added chat_background_set forum_topic_created forum_topic_edited forum_topic_closed
		forum_topic_reopened general_forum_topic_hidden general_forum_topic_unhidden video_chat_scheduled video_chat_started video_chat_ended
		video_chat_participants_invited giveaway_created giveaway_completed direct_message_price_changed paid_message_price_changed`
	all := map[string]bool{}
	for name := range strings.FieldsSeq(fields) {
		all[name] = true
	}
	return all
}

// answerEmpty answers a message with nothing to hand in.
func (in *Handler) answerEmpty(ctx context.Context, sp speaker, it item) error {
	var up struct {
		Message map[string]json.RawMessage `json:"message"`
	}
	_ = json.Unmarshal(it.Raw, &up) // it was read before
	known := ignoredFields()
	for field := range up.Message {
		if !known[field] {
			in.reply(ctx, sp, in.say(ctx, sp, "not.understood"))
			return context.Cause(ctx)
		}
	}
	if text, _ := it.up.Message.Words(); text != "" { // only the bot's name
		in.reply(ctx, sp, in.say(ctx, sp, "only.name"))
	}
	return context.Cause(ctx)
}

// received is the content that came with a message or an album.
type received struct {
	files []event.File
	lines []string // lines that describe it
	aside []string // those lines that others may have chosen: all except transcripts and the sender's location
}

// receiveFiles receives the files, locations and contacts of a message or an album. ok is false if
// a file failed and nothing else is left to hand in; then the person was told why.
func (in *Handler) receiveFiles(ctx context.Context, sp speaker, all []item) (t received, ok bool, err error) {
	failed := false
	for _, it := range all {
		m := it.up.Message
		t.lines = append(t.lines, textOf(m)...)
		if c := m.Contact; c != nil {
			t.addOthers(fmt.Sprintf("[contact: %s, %s]", chat.OneLine(c.First+" "+c.Last, 100), chat.OneLine(c.Phone, 32)))
		}
		s, has := attachmentOf(m)
		if !has {
			continue
		}
		line, f, problem := in.receiveFile(ctx, sp, s)
		if ctx.Err() != nil {
			return received{}, false, context.Cause(ctx)
		}
		if problem != "" {
			failed = true
			in.answer(ctx, sp, m.ID, chat.Answer{Text: problem})
			continue
		}
		t.files = append(t.files, f)
		if s.kind == "voice" {
			t.lines = append(t.lines, line)
		} else {
			t.addOthers(line)
		}
	}
	return t, !failed || len(t.files) > 0, context.Cause(ctx)
}

// addOthers adds a line that others may have chosen.
func (t *received) addOthers(line string) {
	t.lines, t.aside = append(t.lines, line), append(t.aside, line)
}

// textOf returns lines for the parts of a message that are neither text nor a file.
func textOf(m *client.Message) (lines []string) {
	if m.Sticker != nil {
		lines = append(lines, cmp.Or(chat.OneLine(m.Sticker.Emoji, 16), "(a sticker)"))
	}
	if l := m.Location; l != nil {
		lines = append(lines, fmt.Sprintf("[place: latitude %.6f, longitude %.6f]", l.Latitude, l.Longitude))
	}
	return lines
}

// receiveFile receives one file and describes it in a line, or says in a sentence why it cannot be taken.
func (in *Handler) receiveFile(ctx context.Context, sp speaker, s attachment) (line string, f event.File, problem string) {
	most := cmp.Or(in.cfg.MaxFile, usualMaxFile)
	shown := chat.OneLine(s.name, 100)
	switch {
	case in.cfg.Files == nil:
		return "", f, in.say(ctx, sp, "file.none")
	case sp.guest && !in.fileTries.allow(sp.ID, in.cfg.Now()):
		return "", f, in.say(ctx, sp, "file.many")
	case s.Size > most:
		return "", f, in.say(ctx, sp, "file.large", shown, display.Bytes(s.Size), display.Limit(most))
	}
	f, err := in.fetch(ctx, s, most, event.Label{Untrusted: true, Source: "telegram file from " + sp.name()})
	var lost *client.Error
	switch {
	case errors.Is(err, client.ErrTooLarge):
		return "", f, in.say(ctx, sp, "file.larger", shown, display.Limit(most))
	case errors.As(err, &lost): // an error between two servers is only logged
		in.cfg.Log.Warn("file not received", "chat", sp.address.Name(), "err", err)
		return "", f, in.say(ctx, sp, "file.lost", shown)
	case err != nil:
		return "", f, in.say(ctx, sp, "file.failed", shown, chat.OneLine(in.sentence(ctx, sp, err), 300))
	}
	if s.kind == "voice" || s.kind == "audio" {
		return in.transcribe(ctx, sp, s, f)
	}
	return describe(s, f), f, ""
}

// transcribe returns the text of a recording. A voice message counts as the sender's own words; in
// other sounds the speaker is unknown.
func (in *Handler) transcribe(ctx context.Context, sp speaker, s attachment, f event.File) (line string, _ event.File, problem string) {
	at := in.say(ctx, sp, "voice.at", quotePath(f.Path))
	if in.cfg.Transcribe == nil {
		return "", f, in.say(ctx, sp, "voice.none", at)
	}
	words, err := in.cfg.Transcribe(ctx, f)
	switch words = strings.TrimSpace(words); {
	case err != nil:
		return "", f, in.say(ctx, sp, "voice.failed", chat.OneLine(in.sentence(ctx, sp, err), 300), at)
	case words == "":
		return "", f, in.say(ctx, sp, "voice.empty", at)
	case s.kind == "voice":
		return "[voice message] " + words, f, ""
	}
	return describe(s, f) + "\n[heard in it] " + words, f, ""
}

// describe returns a line about a file: its kind, path, type and size.
func describe(s attachment, f event.File) string {
	kind := s.kind
	if kind == "file" && strings.HasPrefix(f.Type, "image/") {
		kind = "picture"
	}
	return "[" + kind + ": " + quotePath(f.Path) + ", " + cmp.Or(chat.OneLine(f.Type, 80), "of no known type") + ", " + display.Bytes(f.Bytes) + "]"
}

// quotePath returns a path for a line of hob's own, quoted if it could be misread.
func quotePath(path string) string {
	if path == chat.OneLine(path, len(path)) {
		return path
	}
	return strings.NewReplacer("[", `\x5b`, "]", `\x5d`).Replace(strconv.QuoteToASCII(path))
}

// fetch downloads a file into the workspace. It repeats a failure that may pass for a while.
func (in *Handler) fetch(ctx context.Context, s attachment, most int64, from event.Label) (f event.File, err error) {
	within, cancel := context.WithTimeoutCause(ctx, fetchTime, fmt.Errorf("it took longer than %v", fetchTime))
	defer cancel()
	policy := retry.Policy{
		Backoff: retry.Backoff{First: 2 * firstWait}, Tries: fetchTries, Permanent: client.IsPermanent,
		Wait: func(err error, backoff time.Duration) time.Duration { return max(backoff, client.RetryAfter(err)) },
	}
	err = policy.Do(within, func() error {
		var mine bool
		var err error
		if f, mine, err = in.fetchOnce(within, s, most, from); mine {
			return retry.Stop(err)
		}
		return err
	})
	return f, err
}

// fetchOnce is one try. mine says that it failed on this machine, where repeating is useless.
func (in *Handler) fetchOnce(ctx context.Context, s attachment, most int64, from event.Label) (f event.File, mine bool, err error) {
	r, w := io.Pipe()
	came := make(chan error, 1)
	go func() {
		err := in.cfg.Client.Download(ctx, s.ID, most, w)
		_ = w.CloseWithError(err) // nil means the end of the file
		came <- err
	}()
	f, err = in.cfg.Files.Receive(ctx, s.name, most, from, r)
	_ = r.CloseWithError(errNotRead) // stops a download that still runs
	down := <-came
	switch {
	case ctx.Err() != nil && err != nil:
		return f, true, context.Cause(ctx)
	case err == nil:
		return f, false, nil
	case down != nil && !errors.Is(down, errNotRead):
		return f, false, down
	}
	return f, true, err
}

// errNotRead stops a download that nobody reads to the end.
var errNotRead = errors.New("the file is not kept")
