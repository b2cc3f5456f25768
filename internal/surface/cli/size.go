package cli

// Bytes is a size as a person reads it, such as "1.3 GB".
func Bytes(n int64) string { return size(n) }
