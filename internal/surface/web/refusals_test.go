package web

import (
	"testing"

	"hob/internal/intents"
	"hob/internal/phrases"
	"hob/internal/surface/web/door"
)

// What the page refuses somebody it refuses in their language.
func TestRefusalsAreTranslated(t *testing.T) {
	for _, err := range []error{
		errNoChat, errEmpty, errPart, errNoFile, errStreams, errForm, errFresh, errNoPage, door.ErrCode, door.ErrSession, door.ErrPasskey,
	} {
		for _, lang := range phrases.Languages()[1:] {
			if intents.Default().Translate(lang, err.Error(), "page") == err.Error() {
				t.Errorf("%q has no words in %s", err, lang)
			}
		}
	}
}
