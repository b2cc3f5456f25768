package chat

// Answer is the answer of a command, ready to send.
type Answer struct {
	Text string  // Markdown
	Keys [][]Key // rows of buttons
}

// Key is a button in the form of the Bot API.
type Key struct {
	Text string `json:"text"` // its label
	Data string `json:"callback_data"`
}
