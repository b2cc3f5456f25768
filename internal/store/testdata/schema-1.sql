-- A journal as hob left it with schema 1. Never edit it: the test of migrations begins here.

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

INSERT INTO event VALUES (1, 1700000000123, 'main', 1, 'said', 'said/a', '{"input_id":"a","from":"ann","text":"Grüße 🧙"}');
INSERT INTO event VALUES (2, 1700000001000, 'main', 1, 'replied', '', '{"text":"Hello.\u0000"}');
INSERT INTO event VALUES (3, 1700000002000, 'main', 1, 'ended', '', '{"reason":"done","steps":1,"calls":0,"prompt_tokens":0,"eval_tokens":0}');
INSERT INTO event VALUES (7, 1700000003000, 'telegram/1', 7, 'said', 'said/a', '{"input_id":"a","text":"open"}');
UPDATE sqlite_sequence SET seq = 9 WHERE name = 'event';
INSERT INTO mark VALUES ('terminal', 3);
INSERT INTO setting VALUES ('model', 'qwen3:4b');

PRAGMA user_version = 1;
