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
