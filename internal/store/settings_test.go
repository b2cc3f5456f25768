package store

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Settings are kept by key.
func TestSettings(t *testing.T) {
	s := mustOpen(t, newPath(t)).Settings()
	for _, step := range []struct{ key, value string }{
		{"model", "qwen3:4b"},
		{"model", "other"},
		{"model", ""},
		{"odd \x00 key", "bytes \x00\xff\xfe"},
	} {
		if err := s.Set(t.Context(), step.key, step.value); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(t.Context(), step.key); got != step.value || err != nil {
			t.Errorf("Get(%q) = %q, %v, want %q", step.key, got, err, step.value)
		}
	}
	if got, err := s.Get(t.Context(), "never set"); got != "" || err != nil {
		t.Errorf("a setting that was never set is %q, %v", got, err)
	}
}

// They are listed by the beginning of their keys.
func TestSettings_ByPrefix(t *testing.T) {
	s := mustOpen(t, newPath(t)).Settings()
	for _, key := range []string{"tool/a", "tool/b", "tool", "tool/\xff", "tools", "other", "\xff", "\xff\xff"} {
		if err := s.Set(t.Context(), key, "of "+key); err != nil {
			t.Fatal(err)
		}
	}
	check := func(prefix string, want map[string]string) {
		t.Helper()
		got, err := s.List(t.Context(), prefix)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("List(%q): %v (-want +got)\n%s", prefix, err, diff)
		}
	}
	check("tool/", map[string]string{"tool/a": "of tool/a", "tool/b": "of tool/b", "tool/\xff": "of tool/\xff"})
	check("\xff", map[string]string{"\xff": "of \xff", "\xff\xff": "of \xff\xff"})
	check("tool/%", map[string]string{})
	for range 2 { // what is not there can be deleted, too
		if err := s.Delete(t.Context(), "tool/a"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set(t.Context(), "tool/b", ""); err != nil {
		t.Fatal(err)
	}
	check("tool/", map[string]string{"tool/b": "", "tool/\xff": "of tool/\xff"})
	if got, err := s.Get(t.Context(), "tool/a"); got != "" || err != nil {
		t.Errorf("what was deleted is %q, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.List(ctx, "")
	if err == nil || s.Delete(ctx, "tool/b") == nil {
		t.Error("an ended context ended nothing")
	}
	check("tool/b", map[string]string{"tool/b": ""})
}
