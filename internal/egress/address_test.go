package egress_test

import (
	"net/netip"
	"testing"

	"hob/internal/egress"
)

// The addresses that must never be dialed: at least one of every entry of the IANA special-purpose registries, the
// metadata services of cloud platforms, and the ways to write an IPv4 address inside an IPv6 one.
func TestSpecialAddressesAreNotPublic(t *testing.T) {
	for _, a := range []string{
		"0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255", "100.100.100.200",
		"127.0.0.1", "127.255.255.255", "168.63.129.16", "169.254.0.23", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255",
		"192.0.0.1", "192.0.0.9", "192.0.0.170", "192.0.0.192", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1",
		"192.168.0.1", "192.168.255.255", "192.175.48.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
		"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",

		"::", "::1", "::2", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1",
		"64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::10.0.0.1", "64:ff9b:1:ffff::1", "100::1", "100:0:0:1::1",
		"2001::1", "2001:0:7f00:1::", "2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1", "2001:1ff:ffff::1",
		"2001:db8::1", "2002:7f00:1::1", "2002:808:808::1", "2620:4f:8000::1", "3fff::1", "3fff:fff:ffff::1", "4000::1", "5f00::1",
		"fc00::1", "fd00::1", "fd00:ec2::254", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
		"fe80::1%eth0", "2606:4700::1111%eth0", "::ffff:8.8.8.8%eth0",
	} {
		if err := egress.Public(netip.MustParseAddr(a)); err == nil {
			t.Errorf("%s counts as public", a)
		}
	}
	if err := egress.Public(netip.Addr{}); err == nil {
		t.Error("the zero address counts as public")
	}
}

// The neighbours of what is refused.
func TestPublicAddressesAre(t *testing.T) {
	for _, a := range []string{
		"1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
		"168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
		"192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "::ffff:8.8.8.8",
		"2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2606:4700:4700::1111", "2620:4f:7fff::1", "2620:4f:8001::1", "2a00::1", "3ffe::1", "3fff:1000::1",
	} {
		if err := egress.Public(netip.MustParseAddr(a)); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
}

func FuzzPublic(f *testing.F) {
	for _, a := range []string{"127.0.0.1", "8.8.8.8", "::1", "2606:4700::1111", "64:ff9b::7f00:1"} {
		f.Add(netip.MustParseAddr(a).AsSlice())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok || egress.Public(a) != nil {
			return
		}
		u := a.Unmap()
		if !u.IsGlobalUnicast() || u.IsPrivate() {
			t.Errorf("%s counts as public", a)
		}
		if u.Is6() && b[0]>>5 != 1 {
			t.Errorf("%s is outside 2000::/3 and counts as public", a)
		}
	})
}
