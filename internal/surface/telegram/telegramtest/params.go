package telegramtest

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const (
	maxRequest  = 64 << 20
	maxUpload   = 50 << 20
	maxPhoto    = 10 << 20
	maxDownload = 20 << 20
)

// params are a request's arguments: texts, JSON where a value is no text.
type params map[string]string

// upload is a file in a request.
type upload struct {
	Name string
	Data []byte
}

// number is an integer argument, or without when there is none that can be read.
func (p params) number(name string, without int64) int64 {
	n, err := strconv.ParseInt(p[name], 10, 64)
	if err != nil {
		return without
	}
	return n
}

// yes reports whether a flag is set.
func (p params) yes(name string) bool {
	switch strings.ToLower(p[name]) {
	case "true", "1", "yes":
		return true
	}
	return false
}

// read takes the arguments of a request from its address and its body, which is a form, a form in parts, or an object of JSON.
func read(r *http.Request) (params, map[string]upload, *refusal) {
	p, files := params{}, map[string]upload{}
	for k, v := range r.URL.Query() {
		p[k] = v[0]
	}
	r.Body = io.NopCloser(io.LimitReader(r.Body, maxRequest+1))
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "multipart/form-data":
		if !readParts(r, p, files) {
			return nil, nil, bad("can't parse the request's parts")
		}
	case "application/json":
		var all map[string]json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&all); err != nil {
			return nil, nil, bad("object expected as request")
		}
		for k, v := range all {
			var text string
			if json.Unmarshal(v, &text) != nil {
				text = string(v)
			}
			p[k] = text
		}
	default:
		if err := r.ParseForm(); err != nil {
			return nil, nil, bad("can't parse the request's form")
		}
		for k, v := range r.PostForm {
			p[k] = v[0]
		}
	}
	return p, files, nil
}

// readParts reads a form in parts.
func readParts(r *http.Request, p params, files map[string]upload) bool {
	parts, err := r.MultipartReader()
	if err != nil {
		return false
	}
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return false
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return false
		}
		if part.FileName() == "" {
			p[part.FormName()] = string(data)
		} else {
			files[part.FormName()] = upload{part.FileName(), data}
		}
	}
}

// known are the parameters of the methods.
func known() []string {
	return []string{"offset", "limit", "timeout", "allowed_updates", "chat_id", "message_id", "message_thread_id", "text",
		"parse_mode", "entities", "caption", "caption_entities", "link_preview_options", "disable_web_page_preview", "disable_notification",
		"protect_content", "reply_parameters", "reply_to_message_id", "allow_sending_without_reply", "reply_markup", "document",
		"photo", "media", "disable_content_type_detection", "action", "draft_id", "can_stop", "keep_on_stop", "callback_query_id",
		"show_alert", "url", "cache_time", "commands", "scope", "language_code", "drop_pending_updates", "secret_token", "max_connections",
		"user_id", "file_id", "reaction", "is_big", "path", "until_date", "revoke_messages", "only_if_banned", "permissions",
		"use_independent_chat_permissions", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats",
		"can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users", "can_pin_messages", "can_manage_topics"}
}
