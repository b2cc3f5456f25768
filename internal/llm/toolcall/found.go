package toolcall

// found is a call as it stands in a text or came off the wire, before anything is mended.
type found struct {
	id      string
	name    string   // as written
	args    string   // as written: JSON, nearly JSON, or already made JSON of another syntax; "" is none
	form    string   // how it was written, for Repairs: "a call in a <tool_call> tag"; "" for one that the server read
	repairs []string // what the finding itself mended
	whole   bool     // its end was written; only then is a writing tool run
}
