//go:build linux && !amd64

package inside_test

func callAsForeigner([]string) int { return 0 }
