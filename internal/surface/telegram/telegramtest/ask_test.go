package telegramtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hob/internal/surface/telegram/telegramtest"
)

// reply is an answer of the server.
type reply struct {
	OK          bool            `json:"ok"`
	Code        int             `json:"error_code"`
	Description string          `json:"description"`
	Result      json.RawMessage `json:"result"`
	Parameters  struct {
		RetryAfter int   `json:"retry_after"`
		MovedTo    int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

type p map[string]string

// call calls a method with a form.
func call(ctx context.Context, srv *telegramtest.Server, method string, args p) (reply, error) {
	form := url.Values{}
	for k, v := range args {
		form.Set(k, v)
	}
	return post(ctx, srv, srv.Token(), method, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

func post(ctx context.Context, srv *telegramtest.Server, token, method, kind string, body io.Reader) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://x/bot"+token+"/"+method, body)
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Content-Type", kind)
	resp, err := (&http.Client{Transport: srv.Transport()}).Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return reply{}, err
	}
	var r reply
	if err := json.Unmarshal(text, &r); err != nil {
		return reply{Code: resp.StatusCode}, err
	}
	return r, nil
}

// ask is call, of which an answer must come.
func ask(t *testing.T, srv *telegramtest.Server, method string, args p) reply {
	t.Helper()
	r, err := call(t.Context(), srv, method, args)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return r
}

// upload calls a method with a file.
func upload(t *testing.T, srv *telegramtest.Server, method, field, name string, data []byte, args p) reply {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for k, v := range args {
		w.WriteField(k, v)
	}
	f, _ := w.CreateFormFile(field, name)
	f.Write(data)
	w.Close()
	r, err := post(t.Context(), srv, srv.Token(), method, w.FormDataContentType(), &b)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return r
}

// ids are the ids of the updates in an answer.
func ids(t *testing.T, r reply) []int64 {
	t.Helper()
	var all []struct {
		ID int64 `json:"update_id"`
	}
	if err := json.Unmarshal(r.Result, &all); err != nil {
		t.Fatalf("%s: %v", r.Result, err)
	}
	got := []int64{}
	for _, u := range all {
		got = append(got, u.ID)
	}
	return got
}

// idOf is the id of the message in an answer.
func idOf(t *testing.T, r reply) int64 {
	t.Helper()
	var m struct {
		ID int64 `json:"message_id"`
	}
	if err := json.Unmarshal(r.Result, &m); err != nil || m.ID == 0 {
		t.Fatalf("no message in %+v: %v", r, err)
	}
	return m.ID
}

func contains(text, part string) bool { return strings.Contains(text, part) }
