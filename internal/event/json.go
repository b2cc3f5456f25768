package event

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Marshal returns a body as a JSON object, without its type.
func Marshal(b Body) (json.RawMessage, error) {
	raw, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("marshal %s: %w", b.Type(), err)
	}
	return raw, nil
}

// journaled returns one zero body of each type that a journal may hold.
func journaled() []Body {
	return []Body{
		Said{}, Joined{}, Generated{}, Nudged{}, Opened{}, Closed{}, Compacted{},
		Called{}, Asked{}, Decided{}, Started{}, Returned{}, Noted{}, Replied{}, Ended{}, Trimmed{},
		Requested{}, Parked{}, Resumed{}, Paused{},
	}
}

// Unmarshal returns a body of the named type. The error for an unknown type is [ErrUnknownType]: a
// newer hob wrote it.
func Unmarshal(typ string, raw json.RawMessage) (Body, error) {
	types := journaled()
	i := slices.IndexFunc(types, func(b Body) bool { return b.Type() == typ })
	if i < 0 {
		return nil, fmt.Errorf("unmarshal event: unknown type %q: %w", typ, ErrUnknownType)
	}
	body := reflect.New(reflect.TypeOf(types[i]))
	if err := json.Unmarshal(raw, body.Interface()); err != nil {
		return nil, fmt.Errorf("unmarshal %s: %w", typ, err)
	}
	return body.Elem().Interface().(Body), nil
}
