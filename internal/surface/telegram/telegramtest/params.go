package telegramtest

import (
	"errors"
	"io"
	"net/http"
	"strconv"
)

const (
	maxRequest  = 64 << 20 // bytes
	maxPhoto    = 10 << 20
	maxDownload = 20 << 20
)

// params are a request's arguments: texts, JSON where a value is no text.
type params map[string]string

// upload is a file in a request.
type upload struct {
	name string
	data []byte
}

// number is an integer argument, 0 where there is none that can be read.
func (p params) number(name string) int64 {
	n, _ := strconv.ParseInt(p[name], 10, 64)
	return n
}

// yes reports whether a flag is set.
func (p params) yes(name string) bool { return p[name] == "true" }

// readParams reads the arguments of a request from its form.
func readParams(r *http.Request) (params, map[string]upload, error) {
	p, files := params{}, map[string]upload{}
	if err := r.ParseMultipartForm(maxRequest); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return nil, nil, err
	}
	for name, values := range r.PostForm {
		p[name] = values[0]
	}
	if r.MultipartForm == nil {
		return p, files, nil
	}
	for field, headers := range r.MultipartForm.File {
		f, err := headers[0].Open()
		if err != nil {
			return nil, nil, err
		}
		data, err := io.ReadAll(f)
		if err != nil {
			return nil, nil, err
		}
		files[field] = upload{headers[0].Filename, data}
	}
	return p, files, nil
}

// knownParams are the parameters of the methods that hob uses.
func knownParams() []string {
	return []string{"offset", "limit", "timeout", "allowed_updates", "chat_id", "message_id", "message_thread_id", "text", "entities",
		"caption", "link_preview_options", "disable_notification", "reply_parameters", "reply_markup", "document", "photo", "media",
		"action", "draft_id", "can_stop", "callback_query_id", "url", "commands", "scope", "language_code", "user_id", "file_id", "path", "until_date",
		"only_if_banned", "permissions", "use_independent_chat_permissions", "is_anonymous", "can_manage_chat", "can_delete_messages",
		"can_manage_video_chats", "can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users",
		"can_pin_messages", "can_manage_topics"}
}
