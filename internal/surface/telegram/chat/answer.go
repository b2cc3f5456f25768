package chat

// Answer is the answer of a command as it is sent.
type Answer struct {
	Text string  // Markdown
	Keys [][]Key // rows of buttons
}

// Key is a button as Telegram has it.
type Key struct {
	Text string `json:"text"` // its label
	Data string `json:"callback_data"`
}
