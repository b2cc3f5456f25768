-- What these tables mean is told in the comment of package store.
PRAGMA application_id = 0x686f6221;

CREATE TABLE event (
	seq  INTEGER PRIMARY KEY AUTOINCREMENT, -- no number twice, even if rows are deleted by hand: marks point at them
	time INTEGER NOT NULL,
	chat TEXT    NOT NULL CHECK (chat <> ''),
	turn INTEGER NOT NULL,
	type TEXT    NOT NULL CHECK (type <> ''),
	key  TEXT    NOT NULL,
	body TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX event_by_key ON event (chat, key) WHERE key <> '';
CREATE INDEX event_by_chat ON event (chat, seq);

CREATE TABLE open_turn (
	turn INTEGER PRIMARY KEY REFERENCES event (seq) ON DELETE CASCADE,
	chat TEXT    NOT NULL
) STRICT;

CREATE TRIGGER turn_begins AFTER INSERT ON event WHEN new.type = 'said' AND new.turn = new.seq BEGIN
	INSERT INTO open_turn (turn, chat) VALUES (new.turn, new.chat);
END;

CREATE TRIGGER turn_ends AFTER INSERT ON event WHEN new.type = 'ended' BEGIN
	DELETE FROM open_turn WHERE turn = new.turn;
END;

CREATE TABLE mark (
	reader TEXT    PRIMARY KEY CHECK (reader <> ''),
	seq    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
