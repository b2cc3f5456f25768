CREATE TABLE reminder (
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- people name it by this
	state   TEXT    NOT NULL CHECK (state <> ''),
	due     INTEGER, -- Unix time in milliseconds at which it is told next; NULL: not again
	chat    TEXT    NOT NULL CHECK (chat <> ''),
	person  TEXT    NOT NULL, -- whom it is for, as PLATFORM/ID
	author  TEXT    NOT NULL, -- who asked for it, likewise
	body    TEXT    NOT NULL  -- JSON of all of it
) STRICT;

CREATE INDEX reminder_due ON reminder (due, id) WHERE due IS NOT NULL AND state = 'open';
CREATE INDEX reminder_open ON reminder (person, state);

CREATE TABLE consent ( -- whether a person may be reminded by another
	person  TEXT    NOT NULL CHECK (person <> ''),
	author  TEXT    NOT NULL CHECK (author <> ''),
	answer  TEXT    NOT NULL, -- 'yes', 'no' or 'mute'
	time    INTEGER NOT NULL,
	PRIMARY KEY (person, author)
) STRICT, WITHOUT ROWID;
