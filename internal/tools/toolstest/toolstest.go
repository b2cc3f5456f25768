// Package toolstest is what the tests of all families of tools share.
package toolstest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
)

// IsResult compares the whole result of a call that must succeed; want has its data as JSON.
func IsResult(t *testing.T, res tools.Result, err error, want tools.Result) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(res.Data)
	if err != nil {
		t.Fatal(err)
	}
	res.Data = string(data)
	if diff := cmp.Diff(want, res); diff != "" {
		t.Error(diff)
	}
}

// IsError checks the code of a typed error and that its message and suggestion hold words.
func IsError(t *testing.T, err error, code, words string) {
	t.Helper()
	e := (*tools.Error)(nil)
	if !errors.As(err, &e) {
		t.Errorf("error is %v, want a *tools.Error of code %s", err, code)
		return
	}
	if said := e.Message + "; " + e.Suggestion; e.Code != code || !strings.Contains(said, words) {
		t.Errorf("error is %s %q, want %s with %q", e.Code, said, code, words)
	}
	want := map[string]string{
		event.CodeRequiredField: event.TypeValidation, event.CodeInvalidFormat: event.TypeValidation,
		event.CodeInvalidValue: event.TypeValidation, event.CodePathTraversal: event.TypePermission,
		event.CodePermissionDenied: event.TypePermission, event.CodeReadOnly: event.TypePermission,
		event.CodeFileNotFound: event.TypeNotFound, event.CodeDirNotFound: event.TypeNotFound,
		event.CodeTimeout: event.TypeTimeout, event.CodeCancelled: event.TypeExecution,
		event.CodeToolNotFound: event.TypeNotFound,
	}
	if typ := want[code]; typ != "" && e.Type != typ {
		t.Errorf("error %s has the type %s, want %s", e.Code, e.Type, typ)
	}
}
