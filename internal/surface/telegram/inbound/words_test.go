package inbound

import "hob/internal/surface/telegram/chat"

// What tests expect to read, in English.
var (
	oldButton   = chat.Words("").Text("old.button")
	oldQuestion = chat.Words("").Text("old.question")
	oldChoice   = chat.Words("").Text("old.choice")
	answered    = chat.Words("").Text("answered")
	notForYou   = chat.Words("").Text("not.yours")
	onlyOwner   = chat.Words("").Text("only.owner")
	howToAnswer = chat.Words("").Text("how.to.answer")
	readLater   = chat.Words("").Text("read.later")
	notRead     = chat.Words("").Text("correction")
)
