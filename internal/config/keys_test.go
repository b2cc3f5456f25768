package config

import (
	"maps"
	"reflect"
	"slices"
	"testing"
)

// keyless lists the fields that no key sets, each with the reason.
func keyless() map[string]string {
	return map[string]string{
		"MCP[].Name": "the name is the table's: [mcp.NAME]",
	}
}

// TestEveryFieldHasAKey changes each field of a configuration, one at a time. Some key must show the
// change, or the field must be listed in keyless.
func TestEveryFieldHasAKey(t *testing.T) {
	base := func() *Config {
		c := Default()
		c.MCP = []MCPServer{newServer("files")}
		return &c
	}
	showAll := func(c *Config) (all []string) {
		for _, k := range keysOf(c) {
			all = append(all, formatValue(k.field.Interface()))
		}
		return all
	}
	for _, k := range keysOf(base()) {
		if k.read == nil {
			t.Errorf("%s: neither the tags nor the type of its field say how it is read", k.path())
		}
	}
	before := showAll(base())
	exempt, fields := keyless(), fieldPaths(reflect.ValueOf(base()).Elem(), "", nil)
	for _, f := range fields {
		c := base()
		changeValue(t, f.name, f.of(reflect.ValueOf(c).Elem()))
		shown := !slices.Equal(before, showAll(c))
		switch _, listed := exempt[f.name]; {
		case !shown && !listed:
			t.Errorf("Config.%s has no key: give it a tag, or list the field in keyless with a reason", f.name)
		case shown && listed:
			t.Errorf("Config.%s has a key: remove it from keyless", f.name)
		}
		delete(exempt, f.name)
	}
	for _, name := range slices.Sorted(maps.Keys(exempt)) {
		t.Errorf("keyless lists Config.%s, which is no field", name)
	}
}

// fieldPath is a field of a configuration that holds no further fields.
type fieldPath struct {
	name string
	of   func(config reflect.Value) reflect.Value
}

// fieldPaths returns the fields below v, which of finds in another configuration.
func fieldPaths(v reflect.Value, name string, of func(reflect.Value) reflect.Value) (all []fieldPath) {
	if of == nil {
		of = func(config reflect.Value) reflect.Value { return config }
	}
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			below := v.Type().Field(i).Name
			if name != "" {
				below = name + "." + below
			}
			all = append(all, fieldPaths(v.Field(i), below, func(config reflect.Value) reflect.Value { return of(config).Field(i) })...)
		}
		return all
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		return fieldPaths(v.Index(0), name+"[]", func(config reflect.Value) reflect.Value { return of(config).Index(0) })
	}
	return []fieldPath{{name, of}}
}

// changeValue sets a field to another value.
func changeValue(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		added := reflect.New(v.Type().Elem()).Elem()
		changeValue(t, name+"[]", added)
		v.Set(reflect.Append(v, added))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.Zero(v.Type().Key()), reflect.Zero(v.Type().Elem()))
	default:
		t.Fatalf("Config.%s is a %v: teach changeValue to change it", name, v.Kind())
	}
}
