//go:build linux && !amd64

package inside_test

const foreignBit = 0

func oldCalls() []idCall { return nil }

func fchmodAsForeigner([]string) int { return 0 }
