package daemon

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hob/internal/app"
	"hob/internal/backup"
	"hob/internal/commands"
	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/hardware"
	"hob/internal/lists"
	"hob/internal/markdown"
	"hob/internal/skills/reminders"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/web"
	"hob/internal/surface/web/certs"
	"hob/internal/surface/web/door"
	"hob/internal/tools"
)

// page is hob in a browser, open or closed. It is safe for concurrent use.
type page struct {
	daemon *daemon

	mu        sync.Mutex
	cfg       config.Page
	site      web.Site
	server    *web.Server // nil: it is closed
	door      *door.Door  // kept while the daemon runs
	closed    bool        // it does not open any more
	byCommand bool        // hob page has opened it: a configuration that says nothing of it leaves it open
	unguard   func()      // lets dialers reach its addresses again

	notices sync.WaitGroup // to the owners, that are under way
}

// noticeTime limits how long a notice to the owners may take, and so the end of hob.
const noticeTime = 2 * time.Second

// apply opens or closes the page as a configuration says. A page that hob page has opened stays.
func (p *page) apply(ctx context.Context, cfg config.Page) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil && (equalPages(cfg, p.cfg) || cfg.Listen == "" && p.byCommand) {
		return nil
	}
	if err := p.closeServer(ctx); err != nil {
		p.daemon.log.Warn("close the page", "err", err)
	}
	if cfg.Listen == "" {
		return nil
	}
	return p.open(ctx, cfg)
}

// applyPage is [page.apply]. A page that does not open is a problem, and the rest of hob works.
func (d *daemon) applyPage(ctx context.Context, cfg config.Page) {
	closed := ""
	if err := d.page.apply(ctx, cfg); err != nil {
		closed = fmt.Sprintf("it stays closed: %v", err)
	}
	d.reportProblem(pageSubject, closed)
}

func equalPages(a, b config.Page) bool {
	return a.Listen == b.Listen && a.TLS == b.TLS && a.Host == b.Host && a.URL == b.URL && slices.Equal(a.Proxies, b.Proxies)
}

// open listens and serves. p.mu is held.
func (p *page) open(ctx context.Context, cfg config.Page) error {
	if p.closed {
		return errors.New("hob ends: the page does not open any more")
	}
	site, err := web.NewSite(web.SiteConfig{Listen: cfg.Listen, TLS: cfg.TLS == config.TLSOwn, Host: cfg.Host, URL: cfg.URL, Proxies: cfg.Proxies})
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	if err := p.openDoor(ctx); err != nil {
		return err
	}
	wcfg := p.webConfig(site)
	if cfg.TLS == config.TLSOwn {
		authority, err := certs.Open(p.daemon.state.PageDir(), cfg.Host, time.Now)
		if err != nil {
			return exit.Errorf(exit.Failed, "%v", err)
		}
		wcfg.TLS = authority.Config()
	}
	server, err := web.New(wcfg)
	if err != nil {
		return err
	}
	listeners, err := web.Listen(cfg.Listen)
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	addrs := lists.Map(listeners, net.Listener.Addr)
	p.unguard = p.daemon.loader.Egress.KeepFrom(addrs, cfg.Target())
	server.Serve(listeners...)
	p.cfg, p.site, p.server, p.byCommand = cfg, site, server, false
	p.daemon.log.Info("the page is open", "url", site.Origin)
	return nil
}

// openDoor reads who is signed in, once. p.mu is held.
func (p *page) openDoor(ctx context.Context) (err error) {
	if p.door == nil {
		p.door, err = door.Open(ctx, door.Config{
			Settings: p.daemon.journal.Settings(), People: p.daemon.journal.People(), Members: groupMembers{p.daemon}, Now: time.Now, Entered: p.announce,
		})
	}
	return err
}

// closeServer closes the page, if it is open. p.mu is held.
func (p *page) closeServer(ctx context.Context) error {
	if p.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, app.APICloseTimeout)
	defer cancel()
	server, unguard := p.server, p.unguard
	p.server, p.unguard = nil, nil
	defer unguard()
	return server.Close(ctx)
}

// close closes the page for good.
func (p *page) close(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	err := p.closeServer(ctx)
	p.notices.Wait()
	return err
}

// webConfig returns the parts of the page. Each request goes to the instance that is current then.
func (p *page) webConfig(site web.Site) web.Config {
	d := p.daemon
	sessions := wakingSessions{d.sessions, d}
	return web.Config{
		Site: site, Door: p.door, Sessions: sessions, Resetter: sessions, Journal: d.journal, Files: files{d.currentApp}, Stories: stories{d.currentApp},
		Commands:  func() commands.Table { return d.current().app.CommandTable(sessions, app.DaemonCommand) },
		Translate: app.Translate,
		Tools: func(ctx context.Context, chat event.Chat, of event.Principal) ([]web.Tool, error) {
			index, err := d.current().app.CommandTools(ctx, chat, of)
			if err != nil {
				return nil, err
			}
			return lists.Map(index.All(), func(t tools.Tool) web.Tool {
				return web.Tool{Name: t.Name(), May: tools.DefOf(t).Capabilities.Words()}
			}), nil
		},
		Reminders: func(ctx context.Context, by commands.Request) ([]web.Reminder, error) {
			open, err := d.current().app.Reminders(ctx, tools.Caller{Chat: by.Chat, User: by.From, Principal: by.Principal})
			return lists.Map(open, func(r reminders.Reminder) web.Reminder {
				return web.Reminder{ID: r.ID, Line: strings.TrimPrefix(r.Line, "⏰ ")}
			}), err
		},
		Present: present{d},
		Calls: func(ctx context.Context, n int) ([]event.Audit, error) {
			return d.journal.Audits(ctx, store.AuditFilter{Limit: n})
		},
		Free: func() (uint64, error) { return hardware.FreeSpace(d.state.StateDir) },
		Backup: func(ctx context.Context, to io.Writer) error {
			_, err := backup.Stream(ctx, d.current().env, d.journal, to, backup.Options{Version: d.loader.Version, Now: time.Now})
			return err
		},
		Now: time.Now, Zone: func() *time.Location { return d.current().clock().Location() }, Log: d.log, MaxFile: d.current().env.Telegram.MaxFile,
	}
}

// present implements [web.Present].
type present struct{ daemon *daemon }

// Mark implements [web.Present]: reminders and lists are changed by changes.
func (p present) Mark(ctx context.Context) (int64, error) {
	newest, _, err := p.daemon.journal.Changes(store.Limits{}).Mark(ctx)
	if err != nil || newest == 0 {
		return 0, err
	}
	last, err := p.daemon.journal.Changes(store.Limits{}).Since(ctx, newest-1)
	if err != nil || len(last) == 0 || last[0].Stage == event.StageBegun {
		return 0, err
	}
	return newest, nil
}

// Changes implements [web.Present].
func (p present) Changes(ctx context.Context, after int64) ([]event.Change, error) {
	return p.daemon.journal.Changes(store.Limits{}).Since(ctx, after)
}

// Reminder implements [web.Present].
func (p present) Reminder(ctx context.Context, id int64) (r event.Reminder, known bool, err error) {
	return p.daemon.journal.Reminders().Get(ctx, id)
}

// List implements [web.Present].
func (p present) List(ctx context.Context, by commands.Request, name string) (on []web.ListItem, err error) {
	open, ticked, err := p.daemon.current().app.ListItems(ctx, tools.Caller{Chat: by.Chat, User: by.From, Principal: by.Principal}, name)
	for i, some := range [][]string{open, ticked} {
		for _, text := range some {
			on = append(on, web.ListItem{Text: text, Ticked: i == 1})
		}
	}
	return on, err
}

// announce tells the owners on the other surfaces that somebody has signed in.
func (p *page) announce(ctx context.Context, s door.Entry) {
	d := p.daemon
	d.log.Info("somebody has a new way into the page", "person", s.Person.From(), "device", s.Device, "id", s.ID, "passkey", s.Passkey)
	bot, ok := d.current().currentBot().(OwnerWriter)
	if !ok {
		return
	}
	text := "Somebody has signed in on the page as %s, on %s. If that was not you, revoke it."
	if s.Passkey {
		text = "A passkey was made that signs in on the page as %s, with %s. If that was not you, revoke it."
	}
	text = fmt.Sprintf(text, personName(s.Person), s.Device)
	p.notices.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noticeTime)
		defer cancel()
		revoke := commands.Choice{Label: "Revoke", Line: "/page revoke " + s.ID}
		bot.WriteToOwners(ctx, commands.Answer{Text: markdown.Escape(text), Choices: [][]commands.Choice{{revoke}}})
	})
}

// groupMembers implements [door.Members] by asking Telegram.
type groupMembers struct{ daemon *daemon }

// membersTime limits how long Telegram is asked: a page waits for it.
const membersTime = 2 * time.Second

// errNoBot means that nobody can be asked.
var errNoBot = errors.New("there is no bot that knows who is in a group")

// IsMember implements [door.Members].
func (m groupMembers) IsMember(ctx context.Context, p door.Person, group event.Chat) (bool, error) {
	at, ok := chat.ParseAddress(group)
	if !ok || p.Platform != chat.Platform {
		return false, nil
	}
	bot, ok := m.daemon.current().currentBot().(interface {
		Member(ctx context.Context, group, who int64) (event.Member, error)
	})
	if !ok {
		return false, errNoBot
	}
	ctx, cancel := context.WithTimeout(ctx, membersTime)
	defer cancel()
	is, err := bot.Member(ctx, at.Chat, p.ID)
	switch is.Role {
	case "creator", "administrator", "member", "restricted":
		return err == nil, err
	}
	return false, err
}

// personName returns how a person is called.
func personName(p door.Person) string {
	if p.Name != "" {
		return p.Name
	}
	return p.From()
}

// InvitePage implements [commands.Pages].
func (p *page) InvitePage(ctx context.Context, by commands.Request, name string, level event.Level) (commands.PageInvite, error) {
	who, err := p.guest(ctx, by, name, level)
	if err != nil {
		return commands.PageInvite{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		if by.Level < event.Owner {
			return commands.PageInvite{}, errors.New("the page is closed: an owner opens it with hob page")
		}
		cfg := p.daemon.current().env.Page // it may not have opened at the start
		usual := cfg.Listen == ""
		if usual {
			cfg = config.Page{Listen: config.UsualPage}
		}
		if err := p.open(ctx, cfg); err != nil {
			return commands.PageInvite{}, err
		}
		p.byCommand = usual
		p.daemon.reportProblem(pageSubject, "")
	}
	in := p.door.Invite(who)
	out := commands.PageInvite{
		Person: personName(who), URL: p.site.Origin, Link: p.site.Origin + "/sign-in#" + in.Long, Code: in.Short,
		Expires: in.Expires.UTC().Truncate(time.Second),
	}
	if host, _, err := net.SplitHostPort(p.cfg.Listen); err == nil && host == "localhost" && p.cfg.URL == "" {
		out.Note = "It opens on this machine alone."
	}
	return out, nil
}

// guest returns the person who is to sign in: the caller, or a new person with a name and a level that the owner chose.
func (p *page) guest(ctx context.Context, by commands.Request, name string, level event.Level) (door.Person, error) {
	people := p.daemon.journal.People()
	switch {
	case name != "" && by.Level < event.Owner:
		return door.Person{}, errors.New("only an owner lets others in")
	case name != "":
		known, err := people.People(ctx, door.Platform)
		if err != nil {
			return door.Person{}, err
		}
		who := event.Person{Platform: door.Platform, ID: newPersonID(), Name: name, By: by.From}
		for _, one := range known {
			if one.Name == name {
				who = one
			}
		}
		who.Level = level
		if _, err := people.AllowPerson(ctx, who); err != nil {
			return door.Person{}, err
		}
		return door.Person{Platform: who.Platform, ID: who.ID, Name: who.Name}, nil
	case by.Surface == commands.Terminal:
		return door.Person{}, nil
	case by.Surface == commands.Page:
		return p.personOf(ctx, by)
	}
	return p.knownPerson(ctx, by.Platform, by.From)
}

// newPersonID returns a number for somebody who is let in by the page.
func newPersonID() int64 {
	var raw [8]byte
	_, _ = rand.Read(raw[:]) // it never fails
	return int64(binary.BigEndian.Uint64(raw[:])>>12) + 1
}

// personOf returns who gives a command on the page.
func (p *page) personOf(ctx context.Context, by commands.Request) (door.Person, error) {
	if by.From == (door.Person{}).From() {
		return door.Person{}, nil
	}
	if id, guest := strings.CutPrefix(by.From, door.GuestPrefix); guest {
		return p.knownPerson(ctx, door.Platform, id)
	}
	return p.knownPerson(ctx, chat.Platform, by.From)
}

// knownPerson returns somebody who was let in on a platform.
func (p *page) knownPerson(ctx context.Context, platform, from string) (door.Person, error) {
	id, err := strconv.ParseInt(from, 10, 64)
	if err != nil {
		return door.Person{}, door.ErrSession
	}
	known, ok, err := p.daemon.journal.People().Person(ctx, platform, id)
	if err == nil && !ok {
		err = door.ErrSession
	}
	return door.Person{Platform: platform, ID: id, Name: known.Name}, err
}

// PageSessions implements [commands.Pages].
func (p *page) PageSessions(ctx context.Context, by commands.Request) (all []commands.PageSession, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.openDoor(ctx); err != nil {
		return nil, err
	}
	for _, s := range p.door.Sessions() {
		if mayEndPage(by, s.Person) {
			all = append(all, commands.PageSession{ID: s.ID, Person: personName(s.Person), Device: s.Device, Since: s.Created, Seen: s.Seen})
		}
	}
	keys, err := p.door.AllPasskeys(ctx)
	for _, k := range keys {
		if mayEndPage(by, k.Person) {
			all = append(all, commands.PageSession{ID: k.ID, Person: personName(k.Person), Device: "passkey made with " + k.Device, Since: k.Created, Passkey: true})
		}
	}
	return all, err
}

// EndPageSession implements [commands.Pages].
func (p *page) EndPageSession(ctx context.Context, by commands.Request, id string) (bool, error) {
	p.mu.Lock()
	err := p.openDoor(ctx)
	d := p.door
	p.mu.Unlock()
	if err != nil {
		return false, err
	}
	return d.Revoke(ctx, id, func(of door.Person) bool { return mayEndPage(by, of) })
}

// mayEndPage reports whether a person may sign a browser out: an owner all, others their own.
func mayEndPage(by commands.Request, of door.Person) bool {
	return by.Level >= event.Owner || !of.IsHost() && of.From() == by.From
}
