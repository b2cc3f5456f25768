package door_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"testing"

	"hob/internal/event"
	"hob/internal/surface/web/door"
)

// device holds a passkey, as a phone does.
type device struct {
	t      *testing.T
	origin string // of the page that it speaks to
	site   string
	key    *ecdsa.PrivateKey
	id     []byte
	handle []byte
	count  uint32
}

func newDevice(t *testing.T, origin, site string) *device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	return &device{t: t, origin: origin, site: site, key: key, id: id}
}

var b64 = base64.RawURLEncoding

// options reads what the page asks of a device.
func (d *device) options(of any) (challenge, handle string) {
	d.t.Helper()
	raw, err := json.Marshal(of)
	if err != nil {
		d.t.Fatal(err)
	}
	var o struct {
		Challenge string `json:"challenge"`
		User      struct {
			ID string `json:"id"`
		} `json:"user"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		d.t.Fatal(err)
	}
	return o.Challenge, o.User.ID
}

func (d *device) client(kind, challenge string) []byte {
	raw, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": d.origin, "crossOrigin": false})
	return raw
}

// data is the authenticator's: up and verified, and with a key where it is made.
func (d *device) data(flags byte, key []byte) []byte {
	site := sha256.Sum256([]byte(d.site))
	out := append(site[:], flags)
	out = binary.BigEndian.AppendUint32(out, d.count)
	if key != nil {
		out = append(out, make([]byte, 16)...)
		out = binary.BigEndian.AppendUint16(out, uint16(len(d.id)))
		out = append(append(out, d.id...), key...)
	}
	return out
}

// create makes the passkey.
func (d *device) create(options any) []byte {
	challenge, handle := d.options(options)
	d.handle, _ = b64.DecodeString(handle)
	point, err := d.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		d.t.Fatal(err)
	}
	x, y := point[1:33], point[33:]
	key := append([]byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20}, x...) // COSE: ES256 on P-256
	key = append(append(key, 0x22, 0x58, 0x20), y...)
	data := d.data(0x45, key)
	object := append([]byte{0xa3}, "\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"...)
	object = append(append(object, byte(len(data))), data...)
	raw, _ := json.Marshal(map[string]any{
		"id": b64.EncodeToString(d.id), "rawId": b64.EncodeToString(d.id), "type": "public-key",
		"response": map[string]any{
			"clientDataJSON": b64.EncodeToString(d.client("webauthn.create", challenge)), "attestationObject": b64.EncodeToString(object),
		},
	})
	return raw
}

// sign signs a sign-in.
func (d *device) sign(options any, flags byte) []byte {
	challenge, _ := d.options(options)
	client, data := d.client("webauthn.get", challenge), d.data(flags, nil)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, sum[:])
	if err != nil {
		d.t.Fatal(err)
	}
	raw, _ := json.Marshal(map[string]any{
		"id": b64.EncodeToString(d.id), "rawId": b64.EncodeToString(d.id), "type": "public-key",
		"response": map[string]any{
			"clientDataJSON": b64.EncodeToString(client), "authenticatorData": b64.EncodeToString(data),
			"signature": b64.EncodeToString(signature), "userHandle": b64.EncodeToString(d.handle),
		},
	})
	return raw
}

const origin, site = "http://localhost:8780", "localhost"

// keysOf returns the passkeys of a house.
func (h *house) keysOf(t *testing.T, origin string) *door.Passkeys {
	t.Helper()
	keys, err := h.Passkeys(origin)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// add makes a passkey for a person.
func (h *house) add(t *testing.T, keys *door.Passkeys, p door.Person, d *device) error {
	t.Helper()
	_, s, err := h.SignIn(t.Context(), p, "Firefox", "")
	if err != nil {
		t.Fatal(err)
	}
	options, err := keys.BeginAdd(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return keys.Add(t.Context(), s, d.create(options))
}

// A passkey signs its person in, also after a restart, each time with a new challenge; it ends when it is removed.
func TestPasskey(t *testing.T) {
	h := newHouse(t)
	keys, d := h.keysOf(t, origin), newDevice(t, origin, site)
	ben := h.allow(t, "Ben", event.User)
	if err := h.add(t, keys, ben, d); err != nil {
		t.Fatal(err)
	}
	if len(h.in) != 2 { // the browser, and the passkey
		t.Errorf("told of %q", h.in)
	}
	h.reopen(t)
	keys = h.keysOf(t, origin)
	id, options, err := keys.BeginSignIn()
	if err != nil {
		t.Fatal(err)
	}
	signed := d.sign(options, 0x05)
	if who, err := keys.SignIn(t.Context(), id, signed); err != nil || who != ben {
		t.Fatalf("%+v, %v", who, err)
	}
	if _, err := keys.SignIn(t.Context(), id, signed); !errors.Is(err, door.ErrPasskey) {
		t.Errorf("the same answer signs in twice: %v", err)
	}
	other, _, err := keys.BeginSignIn()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.SignIn(t.Context(), other, signed); !errors.Is(err, door.ErrPasskey) {
		t.Errorf("an answer to another challenge signs in: %v", err)
	}
	all, err := h.AllPasskeys(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if removed, err := h.Revoke(t.Context(), all[0].ID, func(p door.Person) bool { return p.Is(ben) }); !removed || err != nil {
		t.Fatalf("%t, %v", removed, err)
	}
	if err := h.tryPasskey(t.Context(), keys, d, 0x05); !errors.Is(err, door.ErrPasskey) {
		t.Errorf("a passkey that was removed: %v", err)
	}
}

// tryPasskey signs in with a device.
func (h *house) tryPasskey(ctx context.Context, keys *door.Passkeys, d *device, flags byte) error {
	id, options, err := keys.BeginSignIn()
	if err != nil {
		return err
	}
	_, err = keys.SignIn(ctx, id, d.sign(options, flags))
	return err
}

// What is no sign-in of the person on this page is refused.
func TestPasskeyAttacks(t *testing.T) {
	h := newHouse(t)
	keys := h.keysOf(t, origin)
	ben, eve := h.allow(t, "Ben", event.User), h.allow(t, "Evelyn", event.User)
	good, mine := newDevice(t, origin, site), newDevice(t, origin, site)
	if err := errors.Join(h.add(t, keys, ben, good), h.add(t, keys, eve, mine)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*device){
		"another page":            func(d *device) { d.origin = "http://evil.example" },
		"another port":            func(d *device) { d.origin = "http://localhost:1" },
		"another name":            func(d *device) { d.site = "evil.example" },
		"another key":             func(d *device) { d.key = mine.key },
		"another person's handle": func(d *device) { d.handle = mine.handle },
		"no handle":               func(d *device) { d.handle = nil },
		"an unknown passkey":      func(d *device) { d.id = []byte("0123456789abcdef") },
	} {
		bad := *good
		change(&bad)
		if err := h.tryPasskey(t.Context(), keys, &bad, 0x05); !errors.Is(err, door.ErrPasskey) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := h.tryPasskey(t.Context(), keys, good, 0x01); !errors.Is(err, door.ErrPasskey) {
		t.Errorf("nobody was verified: %v", err)
	}
	good.count = 7
	if err := h.tryPasskey(t.Context(), keys, good, 0x05); err != nil {
		t.Errorf("the right one: %v", err)
	}
	good.count = 3
	if err := h.tryPasskey(t.Context(), keys, good, 0x05); !errors.Is(err, door.ErrPasskey) {
		t.Errorf("a copy, which counts from before: %v", err)
	}
	good.count = 9
	if err := h.tryPasskey(t.Context(), h.keysOf(t, "https://hob.lan"), good, 0x05); !errors.Is(err, door.ErrPasskey) {
		t.Errorf("on another site: %v", err)
	}
	if err := h.add(t, keys, eve, good); !errors.Is(err, door.ErrPasskey) {
		t.Errorf("the same passkey for another person: %v", err)
	}
	if _, err := h.db.People().ForgetPerson(t.Context(), ben.Platform, ben.ID); err != nil {
		t.Fatal(err)
	}
	if err := h.tryPasskey(t.Context(), keys, good, 0x05); err == nil {
		t.Error("somebody who was turned out")
	}
	for _, junk := range []string{"", "{}", "null", `{"id":1}`} {
		id, _, err := keys.BeginSignIn()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := keys.SignIn(t.Context(), id, []byte(junk)); !errors.Is(err, door.ErrPasskey) {
			t.Errorf("%q: %v", junk, err)
		}
	}
}
