ALTER TABLE event ADD COLUMN crc INTEGER; -- of all other columns; NULL: the row is from before there were checksums
