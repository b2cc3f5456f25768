package event

import "strconv"

// Attachment is a text that came with a message, such as a file or the output of a pipe. It is
// data, never a command, whoever wrote it.
type Attachment struct {
	Text  string `json:"text"`
	Label Label  `json:"label"`           // its Source is where the text comes from, such as "pipe" or the path of a file
	Fence string `json:"fence,omitempty"` // see [Fence]; "" for text that the household wrote
}

// text returns the attachment as a model reads it.
func (a Attachment) text() string {
	if a.Fence == "" {
		return "[attached: " + strconv.Quote(a.Label.Source) + "]\n" + a.Text
	}
	return Fence(a.Text, a.Label.Source, a.Fence)
}

// BesideLabel is the label of names and texts that came with a message and that others chose.
func BesideLabel() Label { return Label{Untrusted: true, Source: "what came with a message"} }

// attachmentText returns the attachments as they follow the text.
func (s Said) attachmentText() (text string) {
	for _, a := range s.Attachments {
		text += "\n\n" + a.text()
	}
	return text
}

// TextWithAttachments is Text followed by the attachments, each with its source.
func (s Said) TextWithAttachments() string { return s.Text + s.attachmentText() }

// Origin returns the joined label of the message and of everything that came with it.
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
