package http

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/session"
)

// unmarshalStrict reads one JSON object into a struct. Unlike encoding/json it knows a field by its
// exact name only, and takes no null and no text after the value. Its error is a sentence about the
// body.
func unmarshalStrict(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("the body is not what is asked for: %s cannot be %s", cmp.Or(kind.Field, "it"), withArticle(kind.Value))
	case err != nil && strings.HasPrefix(err.Error(), "json: unknown field "):
		name := strings.TrimPrefix(err.Error(), "json: unknown field ")
		if _, atTop := fieldType(reflect.TypeOf(into).Elem(), strings.Trim(name, `"`)); atTop {
			return fmt.Errorf("the body has a field that there is not in this place: %s stands at the top", name)
		}
		return fmt.Errorf("the body has a field that there is not: %s", name)
	case err != nil:
		return errors.New("the body is no whole JSON object")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the body goes on after its JSON object")
	}
	return checkFields(raw, reflect.TypeOf(into).Elem(), "the body")
}

// withArticle returns a kind of JSON value, such as "number", with its article.
func withArticle(kind string) string {
	kind, _, _ = strings.Cut(kind, " ") // without the value
	if strings.HasPrefix(kind, "a") || strings.HasPrefix(kind, "o") {
		return "an " + kind
	}
	return "a " + kind
}

// checkFields goes over a value that encoding/json has read, and finds what that is lenient about:
// names in other letters, names that stand twice, and null.
func checkFields(raw json.RawMessage, typ reflect.Type, what string) error {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return fmt.Errorf("%s cannot be null", what)
	}
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct {
		var all []json.RawMessage
		if err := json.Unmarshal(raw, &all); err != nil {
			return err
		}
		for i, one := range all {
			if err := checkFields(one, typ.Elem(), fmt.Sprintf("%s[%d]", what, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if typ.Kind() != reflect.Struct || reflect.PointerTo(typ).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, _ = dec.Token() // the brace: it was an object before
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		field, ok := fieldType(typ, name)
		if !ok || seen[name] {
			return fmt.Errorf("%s has a field that there is not, or has it twice: %q", what, name)
		}
		seen[name] = true
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if err := checkFields(value, field, name); err != nil {
			return err
		}
	}
	return nil
}

// fieldType returns the type of the field of typ that has that name in JSON.
func fieldType(typ reflect.Type, name string) (reflect.Type, bool) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name && tag != "" {
			return f.Type, true
		}
	}
	return nil, false
}

// parseParameters reads the query of an address: a chat, and other parameters that may stand there.
// An unknown parameter is an error, and so is one that stands there twice.
func parseParameters(u *url.URL, also ...string) (chat event.Chat, rest map[string]string, err error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", nil, errors.New("the parameters cannot be read")
	}
	rest = map[string]string{}
	for name, values := range query {
		if name != "chat" && !slices.Contains(also, name) || len(values) != 1 {
			return "", nil, fmt.Errorf("there is no parameter %q, or it stands there twice", name)
		}
		rest[name] = values[0]
	}
	chat = event.Chat(rest["chat"])
	if chat == "" {
		return "", nil, errors.New("say which chat: ?chat=NAME")
	}
	return chat, rest, session.CheckName(chat)
}

// parseSeq reads the Seq of an event; "" is the beginning.
func parseSeq(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no number of an event", text)
	}
	return n, nil
}
