ALTER TABLE event ADD COLUMN crc INTEGER; -- of all other columns; NULL: the row is from before there were checksums

ALTER TABLE arrival RENAME TO arrival_7;

CREATE TABLE arrival (
	n        INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they came: their ids need not rise
	time     INTEGER NOT NULL,
	platform TEXT    NOT NULL CHECK (platform <> ''),
	bot      INTEGER NOT NULL, -- that it came to; 0: it is from before bots were told apart
	id       INTEGER NOT NULL,
	hash     TEXT    NOT NULL, -- of its JSON; '': likewise
	state    TEXT    NOT NULL,
	raw      TEXT, -- JSON; NULL once it was dealt with
	UNIQUE (platform, bot, id, hash)
) STRICT;

INSERT INTO arrival (n, time, platform, bot, id, hash, state, raw)
	SELECT n, time, platform, 0, id, '', state, raw FROM arrival_7;

DROP TABLE arrival_7;

CREATE INDEX arrival_undone ON arrival (platform, n) WHERE state <> 'done';
CREATE INDEX arrival_by_time ON arrival (time);
