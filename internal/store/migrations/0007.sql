CREATE TABLE shown (
	chat    TEXT    NOT NULL CHECK (chat <> ''),
	name    TEXT    NOT NULL CHECK (name <> ''), -- of what is shown, such as a map
	message INTEGER NOT NULL CHECK (message <> 0), -- of the platform, in which it is
	PRIMARY KEY (chat, name)
) STRICT, WITHOUT ROWID;
