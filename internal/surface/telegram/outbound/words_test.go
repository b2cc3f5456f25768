package outbound

import "hob/internal/surface/telegram/chat"

// The lines that hob adds to messages, in English.
var (
	sentAgain = chat.Words("").Text("sent.again")
	cutHere   = chat.Words("").Text("cut.here")
)
