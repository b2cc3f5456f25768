package policy

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
)

// Grantable reports whether a tool may have grants: it says what it touches, and does nothing that
// a person must see each time. A tool that runs programs may not, because a host or folder says
// nothing about what the program does.
func Grantable(t tools.Tool) bool {
	def := tools.DefOf(t)
	const never = tools.Executes | tools.Authority | tools.Spends | tools.Destroys | tools.Persists
	return def.ResourcesOf != nil && def.Capabilities&never == 0 && def.Capabilities&(tools.Sends|tools.Outside) != 0
}

// CheckGrant returns an error for a malformed grant: it must have a tool and either a host or a
// folder. [Grantable] says whether the tool may have one.
func CheckGrant(g event.Grant) error {
	switch {
	case g.Tool == "":
		return errors.New("the grant names no tool: name one")
	case g.Host == "" && g.Path == "":
		return fmt.Errorf("the grant for %s has neither a host nor a folder: give one of them", g.Tool)
	case g.Host != "" && g.Path != "":
		return fmt.Errorf("the grant for %s has both a host and a folder: make it two", g.Tool)
	case g.Host != "":
		return CheckHost(g.Host)
	case !plainPath(g.Path):
		return fmt.Errorf("%q is no folder that can be granted: write it in full, from / on, without . or .. in it, nor a slash at its end", g.Path)
	case g.Path == "/":
		return errors.New("/ is every file there is: name a folder in it")
	}
	return nil
}

// CheckHost returns an error unless a host has the form of [NormalHost], in which addresses are
// compared.
func CheckHost(host string) error {
	normal, err := NormalHost(host)
	if err == nil && normal != host {
		err = fmt.Errorf("write the host %q as %s", host, normal)
	}
	return err
}

// NormalHost returns a host as grants name it: in lower case, without a scheme, other scripts in
// punycode, an IPv6 address shortened and in brackets, with a port other than 80 and 443.
func NormalHost(host string) (string, error) {
	if strings.Contains(host, "://") || strings.ContainsAny(host, "/?#@\\") {
		return "", fmt.Errorf("%q is more than a host: leave only the name, and a port if it has one", host)
	}
	name, port, ok := splitHost(host)
	switch {
	case !ok:
		return "", fmt.Errorf("%q is not a host: give a name such as example.org, or an address, and nothing else", host)
	case port == "80" || port == "443":
		return "", fmt.Errorf("leave out the port of %q: it is a usual one", host)
	}
	return joinHost(name, port), nil
}

// plainPath reports whether p is an absolute path in the form in which paths are compared.
func plainPath(p string) bool {
	return filepath.IsAbs(p) && filepath.Clean(p) == p && !strings.ContainsRune(p, 0)
}

// isWithin reports whether p is folder or below it. It is false for a path in another form.
func isWithin(folder, p string) bool {
	if folder == "/" || !plainPath(folder) || !plainPath(p) {
		return false
	}
	return p == folder || strings.HasPrefix(p, folder+"/")
}
