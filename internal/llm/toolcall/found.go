package toolcall

// found is a call as it stands in a text or came off the wire, before anything is mended.
type found struct {
	id      string
	name    string   // as written
	args    string   // as written: JSON, nearly JSON, (a=1), or elements; "" is none
	beside  []string // objects with arguments that stood beside those
	lax     bool     // see lenient
	form    string   // how it was written, for Repairs: "a call in a <tool_call> tag"; "" for one that the server read
	repairs []string // what the finding itself mended
	doubt   string   // why other arguments may be meant
	whole   bool     // its end was written, or all but missing; only then is a writing tool run
	isName  bool     // it is a name and nothing else
	unread  bool     // it was begun as a call and cannot be read
	missing string   // what alone was not written of its end, for Repairs; of a reply that was cut off it is not whole then
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

// repair notes what the finding mended.
func (f *found) repair(text string) { f.repairs = append(f.repairs, text) }
