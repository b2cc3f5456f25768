package show

// Name returns a name as one clean line: people may put anything into their own names.
func Name(s string) string { return clean(s, mostText) }
