package certs_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/surface/web/certs"
)

// leafOf returns the certificate that a server shows now.
func leafOf(t *testing.T, a *certs.Authority) *x509.Certificate {
	t.Helper()
	c, err := a.Config().GetCertificate(&tls.ClientHelloInfo{ServerName: "hob.lan"})
	if err != nil {
		t.Fatal(err)
	}
	return c.Leaf
}

// The authority outlives a restart, vouches for the name alone, and its certificates are renewed before they end.
func TestAuthority(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "page")
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	a, err := certs.Open(folder, "hob.lan", clock)
	if err != nil {
		t.Fatal(err)
	}
	first := leafOf(t, a)
	again, err := certs.Open(folder, "hob.lan", clock)
	if err != nil || !bytes.Equal(a.PEM(), again.PEM()) || len(a.Fingerprint()) != 95 {
		t.Fatalf("a restart makes another: %v", err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.PEM())
	verify := func(c *x509.Certificate, name string) error {
		_, err := c.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: now})
		return err
	}
	if err := verify(leafOf(t, again), "hob.lan"); err != nil {
		t.Error(err)
	}
	if err := verify(first, "bank.example"); err == nil {
		t.Error("it is good for another name")
	}
	now = now.Add(59 * 24 * time.Hour)
	if !leafOf(t, a).Equal(first) {
		t.Error("a certificate is renewed too early")
	}
	now = now.Add(2 * 24 * time.Hour)
	if next := leafOf(t, a); next.Equal(first) || verify(next, "hob.lan") != nil {
		t.Error("a certificate is not renewed")
	}
	now = now.Add(11 * 365 * 24 * time.Hour)
	if _, err := certs.Open(folder, "hob.lan", clock); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("an authority that has ended: %v", err)
	}
	for _, name := range []string{"hob.lan.ca.pem", "hob.lan.ca.key"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// Whoever has trusted the authority has not trusted it for other sites: its key is of no use for them.
func TestAuthorityIsBound(t *testing.T) {
	folder := t.TempDir()
	if _, err := certs.Open(folder, "hob.lan", time.Now); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"pem", "key"} { // the same authority, asked to vouch for a bank
		raw, err := os.ReadFile(filepath.Join(folder, "hob.lan.ca."+end))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "bank.example.ca."+end), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	evil, err := certs.Open(folder, "bank.example", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(evil.PEM())
	_, err = leafOf(t, evil).Verify(x509.VerifyOptions{Roots: roots, DNSName: "bank.example"})
	invalid := x509.CertificateInvalidError{}
	if !errors.As(err, &invalid) || invalid.Reason != x509.CANotAuthorizedForThisName {
		t.Errorf("the authority vouches for a bank: %v", err)
	}
}
