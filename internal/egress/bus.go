package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
)

// SessionBus connects to the bus of this user's desktop, over which programs show notifications. address is what
// DBUS_SESSION_BUS_ADDRESS says, such as "unix:path=/run/user/1000/bus". Nothing leaves the machine: only a socket below runtime is
// connected to, the folder of XDG_RUNTIME_DIR.
func SessionBus(ctx context.Context, address, runtime string) (net.Conn, error) {
	for one := range strings.SplitSeq(address, ";") {
		path, ok := strings.CutPrefix(one, "unix:path=")
		if !ok {
			continue
		}
		path, _, _ = strings.Cut(path, ",")
		if rel, err := filepath.Rel(runtime, path); runtime == "" || err != nil || !filepath.IsLocal(rel) {
			return nil, fmt.Errorf("the bus %s is not below %s, the folder of this user's session", path, runtime)
		}
		conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
		if err != nil {
			return nil, fmt.Errorf("connect to the desktop: %w", err)
		}
		return conn, nil
	}
	return nil, errors.New("there is no desktop here: DBUS_SESSION_BUS_ADDRESS names no socket")
}
