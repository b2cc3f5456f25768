-- A journal as hob left it with schema 2. Never edit it: the test of migrations begins here.

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

CREATE TABLE change (
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- people name changes by it: no number twice
	time    INTEGER NOT NULL,
	chat    TEXT    NOT NULL,
	turn    INTEGER NOT NULL,
	tool    TEXT    NOT NULL,
	undoes  INTEGER NOT NULL, -- the change that this one takes back, or 0
	part    INTEGER NOT NULL, -- the first change of the same call, or 0
	what    TEXT    NOT NULL, -- the command that did it, in a line, or nothing
	path    TEXT    NOT NULL,
	folders INTEGER NOT NULL,
	before  TEXT    NOT NULL, -- JSON of an event.FileState
	after   TEXT    NOT NULL,
	image   BLOB,             -- the sum of the content it replaced; NULL where there was none, or it was too large to keep
	stage   TEXT    NOT NULL
) STRICT;

CREATE INDEX change_by_time ON change (time);

CREATE TABLE image (
	sum    BLOB    PRIMARY KEY, -- SHA-256 of the content
	used   INTEGER NOT NULL,    -- the newest change that replaced it
	stored INTEGER NOT NULL,    -- bytes of data
	size   INTEGER NOT NULL,    -- bytes of the content; more than stored where data is compressed
	data   BLOB    NOT NULL
) STRICT;

CREATE INDEX image_by_use ON image (used, stored);

INSERT INTO event VALUES (1, 1700000000123, 'main', 1, 'said', 'said/a', '{"input_id":"a","from":"ann","text":"Grüße 🧙"}');
INSERT INTO event VALUES (2, 1700000001000, 'main', 1, 'replied', '', '{"text":"Hello.\u0000"}');
INSERT INTO event VALUES (3, 1700000002000, 'main', 1, 'ended', '', '{"reason":"done","steps":1,"calls":0,"prompt_tokens":0,"eval_tokens":0}');
INSERT INTO event VALUES (7, 1700000003000, 'telegram/1', 7, 'said', 'said/a', '{"input_id":"a","text":"open"}');
UPDATE sqlite_sequence SET seq = 9 WHERE name = 'event';
INSERT INTO mark VALUES ('terminal', 3);
INSERT INTO setting VALUES ('model', 'qwen3:4b');

INSERT INTO change VALUES (4, 1700000002500, 'main', 1, 'write_file', 0, 0, '', '/home/ann/notes.md', 1, '{"kind":""}',
	'{"kind":"file","size":2,"sum":"8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4","mode":420}', NULL, 'made');
INSERT INTO change VALUES (5, 1700000002600, 'main', 1, 'delete_file', 0, 0, '', '/home/ann/notes.md', 0,
	'{"kind":"file","size":2,"sum":"8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4","mode":420}', '{"kind":""}',
	X'8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4', 'begun');
INSERT INTO image VALUES (X'8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4', 5, 2, 2, X'6869');
UPDATE sqlite_sequence SET seq = 5 WHERE name = 'change';

PRAGMA user_version = 2;
