package egress_test

import (
	"errors"
	"net"
	"strings"
	"testing"

	"hob/internal/egress"
)

// What hob serves itself is out of reach for everybody, whatever is allowed and however it is spelled; as soon as it is closed,
// its port is any other's.
func TestNobodyReachesHobItself(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	neighbour, _ := echo(t)
	lan := ""
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			lan = net.JoinHostPort(ip.IP.String(), port)
		}
	}
	places := []string{
		"127.0.0.1:" + port, "localhost:" + port, "127.1.2.3:" + port, "[::1]:" + port, "[::ffff:127.0.0.1]:" + port, "0.0.0.0:" + port,
		"nas.lan:" + port, "HOB.example:443", "hob.example.:443",
	}
	if lan != "" {
		places = append(places, lan)
	}
	g := gate(t, new(notebook), &names{answers: map[string][][]string{"nas.lan": {{"127.0.0.1"}}, "hob.example": {{"203.0.114.1"}}}})
	allow := append([]string{neighbour}, places...)
	dialers := map[string]*egress.Dialer{
		"fetch": must[*egress.Dialer](t)(g.Fetch(allow, "[fetch] allow")), "commands": must[*egress.Dialer](t)(g.Commands(allow, "[shell] network")),
		"an MCP server": must[*egress.Dialer](t)(g.Only("mcp", allow...)),
	}
	release := g.KeepFrom([]net.Addr{l.Addr()}, "hob.example:443")
	for who, d := range dialers {
		for _, place := range places {
			conn, err := d.DialContext(t.Context(), "tcp", place)
			if err == nil {
				conn.Close()
			}
			refused := (*egress.Refused)(nil)
			if !errors.As(err, &refused) || !strings.Contains(refused.Message(), "hob itself") || refused.Hint() != "" {
				t.Errorf("%s reaches %s: %v", who, place, err)
			}
		}
		conn, err := d.DialContext(t.Context(), "tcp", neighbour)
		if err != nil {
			t.Errorf("%s does not reach another service of this machine: %v", who, err)
			continue
		}
		conn.Close()
	}
	release()
	conn, err := dialers["fetch"].DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatalf("the port is kept after the page was closed: %v", err)
	}
	conn.Close()
}
