package event

import "strconv"

// Attachment is a text that came with somebody's words, such as a file or what a program wrote into a pipe. It names nothing and
// orders nothing, no matter who wrote it.
type Attachment struct {
	Text  string `json:"text"`
	Label Label  `json:"label"`           // its Source is where it comes from, such as "pipe" or the path of a file
	Fence string `json:"fence,omitempty"` // see [Fence]; "" for what the household wrote
}

// text is the attachment as a model reads it.
func (a Attachment) text() string {
	if a.Fence == "" {
		return "[attached: " + strconv.Quote(a.Label.Source) + "]\n" + a.Text
	}
	return Fence(a.Text, a.Label.Source, a.Fence)
}

// BesideLabel is the label of names and texts that came with a message and that others chose.
func BesideLabel() Label { return Label{Untrusted: true, Source: "what came with a message"} }

// attachmentText returns the attachments as they stand below the words.
func (s Said) attachmentText() (text string) {
	for _, a := range s.Attachments {
		text += "\n\n" + a.text()
	}
	return text
}

// TextWithAttachments is Text with the attachments below it, each with where it comes from.
func (s Said) TextWithAttachments() string { return s.Text + s.attachmentText() }

// Origin is where the words come from, with all that stands among them and beside them.
func (s Said) Origin() Label {
	from := s.Label
	if len(s.Aside) > 0 {
		from = from.Join(BesideLabel())
	}
	for _, a := range s.Attachments {
		from = from.Join(a.Label)
	}
	return from
}
