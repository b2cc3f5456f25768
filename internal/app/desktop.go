package app

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"hob/internal/display"
	"hob/internal/egress"
	"hob/internal/event"
)

// desktopTime limits one call of the desktop.
const desktopTime = 10 * time.Second

// desktop shows notes on this user's desktop, by the Desktop Notifications Specification. The nil
// desktop shows none.
type desktop struct {
	address, runtime string
	log              *slog.Logger
}

// newDesktop returns the desktop that the configuration asks for, or nil.
func (s *Environment) newDesktop(env func(string) string, log *slog.Logger) *desktop {
	if !s.Notify.Desktop {
		return nil
	}
	return &desktop{env("DBUS_SESSION_BUS_ADDRESS"), env("XDG_RUNTIME_DIR"), log}
}

// show shows a note that alerts the person, in the background.
func (d *desktop) show(ctx context.Context, note event.Noted) {
	if d == nil || !note.Loud {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(ctx, desktopTime)
		defer cancel()
		if err := d.notify(ctx, note.Text); err != nil {
			d.log.Warn("the desktop showed nothing", "note", note.ID, "err", err)
		}
	}()
}

func (d *desktop) notify(ctx context.Context, text string) error {
	socket, err := egress.SessionBus(ctx, d.address, d.runtime)
	if err != nil {
		return err
	}
	bus, err := dbus.NewConn(socket, dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	defer bus.Close()
	if err := bus.Auth(nil); err != nil {
		return err
	}
	if err := bus.Hello(); err != nil {
		return err
	}
	// Some desktops read the body as markup.
	body := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(display.TruncateBytes(display.Visible(text), 1000))
	return bus.Object("org.freedesktop.Notifications", "/org/freedesktop/Notifications").CallWithContext(ctx,
		"org.freedesktop.Notifications.Notify", 0, "hob", uint32(0), "", "hob", body, []string{}, map[string]dbus.Variant{}, int32(-1)).Err
}
