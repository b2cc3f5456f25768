package door

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"hob/internal/lists"
)

// ErrPasskey means that a passkey does not sign in, or cannot be kept.
var ErrPasskey = errors.New("this passkey is not one of hob's, or not any more: sign in with a code")

const (
	passkeyPrefix = "page/passkey/"
	maxPasskeys   = 64
	maxCeremonies = 64
	ceremonyTime  = 5 * time.Minute
)

// Passkey is a key in somebody's device, which signs them in without a code.
type Passkey struct {
	ID         string              `json:"id"` // for people, to name it
	Person     Person              `json:"person"`
	Device     string              `json:"device"` // the browser with which it was made
	Created    time.Time           `json:"created"`
	Site       string              `json:"site"` // the name that it belongs to
	Credential webauthn.Credential `json:"credential"`
}

// Passkeys signs people in with passkeys of one site. It is safe for concurrent use.
type Passkeys struct {
	door *Door
	site string
	wa   *webauthn.WebAuthn

	mu         sync.Mutex
	ceremonies []ceremony // the oldest first
}

// ceremony is a sign-in, or the making of a passkey, that has begun.
type ceremony struct {
	id      string
	session webauthn.SessionData
	expires time.Time
}

// Passkeys returns the passkeys of the site at an origin, such as "https://hob.lan:8780".
func (d *Door) Passkeys(origin string) (*Passkeys, error) {
	u, err := url.Parse(origin)
	if err != nil {
		return nil, fmt.Errorf("sign in with passkeys: %w", err)
	}
	wa, err := webauthn.New(&webauthn.Config{RPID: u.Hostname(), RPDisplayName: "hob", RPOrigins: []string{origin}})
	if err != nil {
		return nil, fmt.Errorf("sign in with passkeys: %w", err)
	}
	return &Passkeys{door: d, site: u.Hostname(), wa: wa}, nil
}

// holder is a person with their passkeys, as the library wants one.
type holder struct {
	person Person
	keys   []Passkey
}

// WebAuthnID implements [webauthn.User].
func (h holder) WebAuthnID() []byte {
	sum := sha256.Sum256([]byte("hob page " + h.person.Platform + "/" + h.person.From()))
	return sum[:]
}

// WebAuthnName implements [webauthn.User].
func (h holder) WebAuthnName() string {
	if h.person.Name != "" {
		return h.person.Name
	}
	return h.person.From()
}

// WebAuthnDisplayName implements [webauthn.User].
func (h holder) WebAuthnDisplayName() string { return h.WebAuthnName() }

// WebAuthnCredentials implements [webauthn.User].
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	return lists.Map(h.keys, func(k Passkey) webauthn.Credential { return k.Credential })
}

// BeginAdd returns what a browser needs to make a passkey for the person of a session.
func (p *Passkeys) BeginAdd(ctx context.Context, s Session) (options any, err error) {
	all, err := p.door.AllPasskeys(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) >= maxPasskeys {
		return nil, errors.New("there are too many passkeys: remove some")
	}
	h := p.holderOf(s.Person, all)
	creation, session, err := p.wa.BeginRegistration(h,
		webauthn.WithResidentKeyRequirement(protocol.ResidentKeyRequirementRequired),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		}),
		webauthn.WithExclusions(webauthn.Credentials(h.WebAuthnCredentials()).CredentialDescriptors()),
	)
	if err != nil {
		return nil, fmt.Errorf("make a passkey: %w", err)
	}
	p.begin("add/"+s.ID, *session)
	return creation.Response, nil
}

// Add keeps the passkey that a browser has made.
func (p *Passkeys) Add(ctx context.Context, s Session, made []byte) error {
	session, ok := p.take("add/" + s.ID)
	if !ok {
		return ErrPasskey
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(made)
	if err != nil {
		return ErrPasskey
	}
	credential, err := p.wa.CreateCredential(holder{person: s.Person}, session, parsed)
	if err != nil {
		return ErrPasskey
	}
	k := Passkey{ID: idOf(credential.ID), Person: s.Person, Device: s.Device, Created: p.door.cfg.Now(), Site: p.site, Credential: *credential}
	all, err := p.door.AllPasskeys(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(other Passkey) bool { return other.ID == k.ID }) {
		return ErrPasskey
	}
	if err := p.door.keepPasskey(ctx, k); err != nil {
		return err
	}
	if p.door.cfg.Entered != nil {
		p.door.cfg.Entered(ctx, Entry{ID: k.ID, Person: k.Person, Device: k.Device, Passkey: true})
	}
	return nil
}

// BeginSignIn returns what a browser needs to sign in, and the id of this sign-in.
func (p *Passkeys) BeginSignIn() (id string, options any, err error) {
	assertion, session, err := p.wa.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return "", nil, fmt.Errorf("sign in with a passkey: %w", err)
	}
	id = rand.Text()
	p.begin("in/"+id, *session)
	return id, assertion.Response, nil
}

// SignIn returns whose passkey has signed the sign-in of that id. A passkey that was copied signs nobody in.
func (p *Passkeys) SignIn(ctx context.Context, id string, signed []byte) (Person, error) {
	session, ok := p.take("in/" + id)
	if !ok {
		return Person{}, ErrPasskey
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(signed)
	if err != nil {
		return Person{}, ErrPasskey
	}
	all, err := p.door.AllPasskeys(ctx)
	if err != nil {
		return Person{}, err
	}
	i := -1
	_, credential, err := p.wa.ValidatePasskeyLogin(func(raw, handle []byte) (webauthn.User, error) {
		i = slices.IndexFunc(all, func(k Passkey) bool { return bytes.Equal(k.Credential.ID, raw) && k.Site == p.site })
		if i < 0 {
			return nil, ErrPasskey
		}
		h := p.holderOf(all[i].Person, all)
		if !bytes.Equal(h.WebAuthnID(), handle) {
			return nil, ErrPasskey
		}
		return h, nil
	}, session, parsed)
	if err != nil || i < 0 || credential.Authenticator.CloneWarning {
		return Person{}, ErrPasskey
	}
	k := all[i]
	if _, err := p.door.Level(ctx, k.Person); err != nil {
		return Person{}, err
	}
	k.Credential = *credential
	return k.Person, p.door.keepPasskey(ctx, k)
}

// holderOf returns a person with their passkeys of this site.
func (p *Passkeys) holderOf(who Person, all []Passkey) holder {
	h := holder{person: who}
	for _, k := range all {
		if k.Person.Is(who) && k.Site == p.site {
			h.keys = append(h.keys, k)
		}
	}
	return h
}

// begin keeps a ceremony in the place of one with the same id. Of too many it forgets the oldest.
func (p *Passkeys) begin(id string, session webauthn.SessionData) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.door.cfg.Now()
	p.ceremonies = slices.DeleteFunc(p.ceremonies, func(c ceremony) bool { return c.id == id || !now.Before(c.expires) })
	if len(p.ceremonies) >= maxCeremonies {
		p.ceremonies = p.ceremonies[1:]
	}
	p.ceremonies = append(p.ceremonies, ceremony{id, session, now.Add(ceremonyTime)})
}

// take ends a ceremony: each is good for one try.
func (p *Passkeys) take(id string) (webauthn.SessionData, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.ceremonies, func(c ceremony) bool { return c.id == id && p.door.cfg.Now().Before(c.expires) })
	if i < 0 {
		return webauthn.SessionData{}, false
	}
	session := p.ceremonies[i].session
	p.ceremonies = slices.Delete(p.ceremonies, i, i+1)
	return session, true
}

// AllPasskeys returns all passkeys, the oldest first.
func (d *Door) AllPasskeys(ctx context.Context) ([]Passkey, error) {
	kept, err := d.cfg.Settings.List(ctx, passkeyPrefix)
	if err != nil {
		return nil, fmt.Errorf("read the passkeys: %w", err)
	}
	var all []Passkey
	for key, raw := range kept {
		var k Passkey
		if json.Unmarshal([]byte(raw), &k) == nil && k.ID != "" && k.ID == strings.TrimPrefix(key, passkeyPrefix) {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b Passkey) int { return a.Created.Compare(b.Created) })
	return all, nil
}

func (d *Door) keepPasskey(ctx context.Context, k Passkey) error {
	raw, err := json.Marshal(k)
	if err == nil {
		err = d.cfg.Settings.Set(ctx, passkeyPrefix+k.ID, string(raw))
	}
	if err != nil {
		return fmt.Errorf("keep a passkey: %w", err)
	}
	return nil
}

func (d *Door) removePasskey(ctx context.Context, id string, may func(Person) bool) (bool, error) {
	all, err := d.AllPasskeys(ctx)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(all, func(k Passkey) bool { return k.ID == id && may(k.Person) })
	if i < 0 {
		return false, nil
	}
	if err := d.cfg.Settings.Delete(ctx, passkeyPrefix+id); err != nil {
		return false, fmt.Errorf("remove a passkey: %w", err)
	}
	return true, nil
}

func idOf(credential []byte) string {
	sum := sha256.Sum256(credential)
	return hex.EncodeToString(sum[:8])
}
