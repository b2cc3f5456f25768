package event

import (
	"encoding/json"
	"fmt"
)

// Marshal returns a body's JSON object, without its type.
func Marshal(b Body) (json.RawMessage, error) {
	raw, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("marshal %s: %w", b.Type(), err)
	}
	return raw, nil
}

// Unmarshal returns the body of the named type. An unknown type is an error: it means that a newer hob wrote it.
func Unmarshal(typ string, raw json.RawMessage) (Body, error) {
	switch typ {
	case "said":
		return decode[Said](typ, raw)
	case "generated":
		return decode[Generated](typ, raw)
	case "nudged":
		return decode[Nudged](typ, raw)
	case "called":
		return decode[Called](typ, raw)
	case "asked":
		return decode[Asked](typ, raw)
	case "decided":
		return decode[Decided](typ, raw)
	case "started":
		return decode[Started](typ, raw)
	case "returned":
		return decode[Returned](typ, raw)
	case "noted":
		return decode[Noted](typ, raw)
	case "replied":
		return decode[Replied](typ, raw)
	case "ended":
		return decode[Ended](typ, raw)
	case "resumed":
		return decode[Resumed](typ, raw)
	case "paused":
		return decode[Paused](typ, raw)
	case "compacted":
		return decode[Compacted](typ, raw)
	case "joined":
		return decode[Joined](typ, raw)
	case "opened":
		return decode[Opened](typ, raw)
	case "closed":
		return decode[Closed](typ, raw)
	case "requested":
		return decode[Requested](typ, raw)
	case "parked":
		return decode[Parked](typ, raw)
	case "trimmed":
		return decode[Trimmed](typ, raw)
	}
	return nil, fmt.Errorf("unmarshal event: unknown type %q: %w", typ, ErrUnknownType)
}

func decode[B Body](typ string, raw json.RawMessage) (Body, error) {
	var b B
	if err := json.Unmarshal(raw, &b); err != nil {
		return nil, fmt.Errorf("unmarshal %s: %w", typ, err)
	}
	return b, nil
}
