// Package certs makes the certificates of the page where hob serves it over HTTPS by itself: an authority of this hob's own for one
// name, and certificates of that authority.
//
// # On disk
//
// In a folder for this user alone: NAME.ca.pem is the certificate of the authority, which people trust, and NAME.ca.key its key.
// The authority can vouch for NAME and for nothing else: whoever trusts it gives hob no power over other sites. It lasts ten years.
// The certificate of the page itself is in memory: it is made at the start, and anew before it ends.
package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"hob/internal/atomicfile"
	"hob/internal/lists"
)

const (
	authorityTime = 10 * 365 * 24 * time.Hour
	leafTime      = 90 * 24 * time.Hour
	renewBefore   = 30 * 24 * time.Hour
	clockSkew     = time.Hour // by which another machine may be behind
)

// Authority vouches for one name. It is safe for concurrent use.
type Authority struct {
	name string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	now  func() time.Time

	mu   sync.Mutex
	leaf *tls.Certificate
}

// Open returns the authority for a name that a folder keeps, or makes one.
func Open(folder, name string, now func() time.Time) (*Authority, error) {
	a, err := read(folder, name, now)
	if errors.Is(err, os.ErrNotExist) {
		if err := create(folder, name, now); err != nil {
			return nil, fmt.Errorf("make certificates for %s: %w", name, err)
		}
		a, err = read(folder, name, now)
	}
	if err != nil {
		return nil, fmt.Errorf("use the certificates for %s in %s: %w", name, folder, err)
	}
	return a, nil
}

func paths(folder, name string) (cert, key string) {
	return filepath.Join(folder, name+".ca.pem"), filepath.Join(folder, name+".ca.key")
}

func read(folder, name string, now func() time.Time) (*Authority, error) {
	certPath, keyPath := paths(folder, name)
	pair, err := tls.LoadX509KeyPair(certPath, keyPath)
	if err != nil {
		return nil, err
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	cert, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil || !ok || !cert.IsCA {
		return nil, errors.New("they are no authority's: remove them, and hob makes others")
	}
	if now().After(cert.NotAfter) {
		return nil, errors.New("they have ended: remove them, and hob makes others, which have to be trusted anew")
	}
	return &Authority{name: name, cert: cert, key: key, now: now}, nil
}

// create makes an authority. Its certificate is written last: without it there is none.
func create(folder, name string, now func() time.Time) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := newSerial()
	if err != nil {
		return err
	}
	of := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "hob for " + name}, NotBefore: now().Add(-clockSkew), NotAfter: now().Add(authorityTime),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, PermittedDNSDomainsCritical: true, PermittedDNSDomains: []string{name},
	}
	// Without these a name would be bound, and every address still free.
	everywhere4, everywhere6 := anyNetwork()
	of.ExcludedIPRanges = append(of.ExcludedIPRanges, everywhere4, everywhere6)
	der, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	if err != nil {
		return err
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	certPath, keyPath := paths(folder, name)
	if err := write(keyPath, &pem.Block{Type: "PRIVATE KEY", Bytes: raw}); err != nil {
		return err
	}
	return write(certPath, &pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// write writes a file for this user alone.
func write(path string, block *pem.Block) error {
	return atomicfile.Replace(path, 0o600, func(f *os.File) error { return pem.Encode(f, block) })
}

func newSerial() (*big.Int, error) {
	return rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
}

// PEM returns the certificate of the authority, which people trust.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// Fingerprint is the SHA-256 of that certificate, as people compare it.
func (a *Authority) Fingerprint() string {
	sum := sha256.Sum256(a.cert.Raw)
	return strings.Join(lists.Map(sum[:], func(b byte) string { return fmt.Sprintf("%02X", b) }), ":")
}

// Config returns how a server speaks TLS.
func (a *Authority) Config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return a.certificate() },
	}
}

// certificate returns the certificate of the page, and makes a new one before the old one ends.
func (a *Authority) certificate() (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	if a.leaf != nil && now.Add(renewBefore).Before(a.leaf.Leaf.NotAfter) {
		return a.leaf, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	of := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: a.name}, DNSNames: []string{a.name}, NotBefore: now.Add(-clockSkew), NotAfter: now.Add(leafTime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, of, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	a.leaf = &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
	return a.leaf, nil
}

// anyNetwork are the networks of all addresses.
func anyNetwork() (four, six *net.IPNet) {
	return &net.IPNet{IP: net.IPv4zero.To4(), Mask: net.CIDRMask(0, 32)}, &net.IPNet{IP: net.IPv6zero, Mask: net.CIDRMask(0, 128)}
}
