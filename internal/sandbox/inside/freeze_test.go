//go:build linux

package inside_test

import (
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/inside"
)

// order gives a helper an order.
func (p *process) order(t *testing.T, what string) {
	t.Helper()
	if err := unix.Send(int(p.socket.Fd()), []byte(what), unix.MSG_NOSIGNAL); err != nil {
		t.Fatal(err)
	}
}

// frozen freezes a command that has begun.
func frozen(t *testing.T, tier inside.Tier, script string) *process {
	t.Helper()
	s := shell(t, script)
	s.Tier = tier
	p := launch(t, s)
	p.order(t, inside.OrderFreeze+" 7")
	if m := p.receive(t); m.Frozen == nil || !*m.Frozen || m.Order != inside.OrderFreeze+" 7" {
		t.Fatalf("it is not frozen: %+v", m)
	}
	return p
}

// What is frozen goes on when it is thawed, and ends as it would have.
func TestFreeze_Thaws(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		p := frozen(t, tier, "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; (exit 3) & wait $!; echo $?; exit 4")
		p.order(t, inside.OrderThaw+" 8")
		if r := p.wait(t); r.Exit != 4 || r.Out != "3\n" || r.Left != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// What is frozen dies with hob, and when it is to end.
func TestFreeze_LeavesNothing(t *testing.T) {
	const script = "trap '' TERM HUP; (sleep 1000 & sleep 1000) & (setsid sleep 1000) & while :; do :; done"
	each(t, func(t *testing.T, tier inside.Tier) {
		t.Run("the end of the socket", func(t *testing.T) {
			p := frozen(t, tier, script)
			p.socket.Close()
			p.read.Wait() // hangs if anything is left that has the streams
			p.cmd.Wait()
		})
		t.Run("an order that is none", func(t *testing.T) {
			p := frozen(t, tier, script)
			p.order(t, "frozen")
			if r := p.wait(t); r.Signal != int(unix.SIGKILL) {
				t.Errorf("%+v", r)
			}
		})
		t.Run("the end of the helper", func(t *testing.T) {
			if tier == inside.T3 {
				t.Skip("not in this tier: what is left is found at the next start")
			}
			p := frozen(t, tier, script)
			if err := p.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.read.Wait()
			p.cmd.Wait()
		})
	})
}
