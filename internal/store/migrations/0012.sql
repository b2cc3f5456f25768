ALTER TABLE change ADD COLUMN by TEXT NOT NULL DEFAULT ''; -- the person who made it, as PLATFORM/ID; '': not known
