package toolcall

import "hob/internal/schema"

// found is a call as it stands in a text or came off the wire, before anything is mended.
type found struct {
	id      string
	name    string           // as written
	args    string           // as written: JSON, nearly JSON, or already made JSON of another syntax; "" is none
	form    string           // how it was written, for Repairs: "a call in a <tool_call> tag"; "" for one that the server read
	repairs []string         // what the finding itself mended
	whole   bool             // its end was written, or all but missing; only then is a writing tool run
	missing string           // what alone was not written of its end, for Repairs; of a reply that was cut off it is not whole then
	torn    bool             // the text ends within an argument: no tool is run
	named   bool             // it names an argument that the tool has
	wrong   []schema.Problem // with how its arguments were written
}

// What alone may be missing at the end of a call.
const (
	noBrace = "its last brace was missing"
	noList  = "the end of its list was missing"
	noTag   = "its end tag was missing"
	noEnd   = "its end was missing"
)

// lacks notes that the last of calls has no end but for text.
func lacks(calls []found, text string) {
	if n := len(calls); n > 0 && calls[n-1].whole && calls[n-1].missing == "" {
		calls[n-1].missing = text
	}
}
