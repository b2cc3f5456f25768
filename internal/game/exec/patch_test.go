package exec_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// operation is one of a patch (RFC 6902), of those that a state_patch has.
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// apply changes a document by a patch.
func apply(d any, patch []operation) (any, error) {
	for _, op := range patch {
		var path []string
		if op.Path != "" {
			if op.Path[0] != '/' {
				return nil, fmt.Errorf("%q is no pointer", op.Path)
			}
			path = strings.Split(op.Path[1:], "/")
		}
		for i, token := range path {
			path[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		}
		var value any
		switch {
		case op.Op == "remove":
		case op.Op != "add" && op.Op != "replace" || op.Value == nil:
			return nil, fmt.Errorf("an operation %q with the value %q", op.Op, op.Value)
		default:
			dec := json.NewDecoder(strings.NewReader(string(op.Value)))
			dec.UseNumber()
			if err := dec.Decode(&value); err != nil {
				return nil, err
			}
		}
		next, err := change(d, path, op.Op, value)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", op.Op, op.Path, err)
		}
		d = next
	}
	return d, nil
}

// change returns d with one place in it changed.
func change(d any, path []string, op string, value any) (any, error) {
	if len(path) == 0 {
		if op == "remove" {
			return nil, fmt.Errorf("the whole document")
		}
		return value, nil
	}
	switch at := d.(type) {
	case doc:
		return at, member(at, path, op, value)
	case []any:
		return item(at, path, op, value)
	}
	return nil, fmt.Errorf("%q is within no object", path[0])
}

// member changes what is in an object.
func member(at doc, path []string, op string, value any) error {
	name := path[0]
	old, there := at[name]
	switch {
	case !there && (len(path) > 1 || op != "add"):
		return fmt.Errorf("there is no %q", name)
	case len(path) == 1 && op == "remove":
		delete(at, name)
		return nil
	case len(path) == 1:
		at[name] = value
		return nil
	}
	next, err := change(old, path[1:], op, value)
	at[name] = next
	return err
}

// item changes what is in a list.
func item(at []any, path []string, op string, value any) (any, error) {
	n, err := strconv.Atoi(path[0])
	if path[0] == "-" {
		n, err = len(at), nil
	}
	last := len(at) - 1
	if op == "add" && len(path) == 1 {
		last++
	}
	switch {
	case err != nil || n < 0 || n > last:
		return nil, fmt.Errorf("there is no item %q", path[0])
	case len(path) > 1:
		at[n], err = change(at[n], path[1:], op, value)
		return at, err
	case op == "add":
		return slices.Insert(at, n, value), nil
	case op == "remove":
		return slices.Delete(at, n, n+1), nil
	}
	at[n] = value
	return at, nil
}
