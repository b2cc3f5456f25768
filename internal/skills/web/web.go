// Package web is the skill for what is on the web: pages are found with web_search, which asks a SearXNG server that the
// owner has named, and read with the tools that read pages.
//
// What is found was written by strangers, titles included. The question leaves this machine: it goes to that server, which
// passes it on to search engines. Policy judges a call by its address like one of fetch, and following a link that was
// found like following one of a page: see [fetch.LinksTo].
package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hob/internal/skills"
	"hob/internal/tools"
)

// Config is what the skill is made of.
type Config struct {
	Server  string        // address of a SearXNG server, such as https://search.example.org; "": there is none
	Client  *http.Client  // reaches that server and nothing else; needed where there is a Server
	Timeout time.Duration // of a search; 0 means 20 s
	Setting string        // how the owner names a server, such as "[web] search"; for the sentences that say so
	Pages   []tools.Tool  // that read pages: fetch and ask_page, as far as there are any
}

// New returns the skill: web_search where there is a server, and the tools for pages. The error says what is wrong with the
// server's address.
func New(c Config) (skills.Skill, error) {
	s := skills.Own("web")
	if c.Server == "" {
		s.Instructions = skills.Own("web without search").Instructions + c.setup()
		return skills.Declare(s, c.Pages...), nil
	}
	base, err := baseOf(c.Server)
	if err != nil {
		return skills.Skill{}, err
	}
	if c.Client == nil {
		return skills.Skill{}, errors.New("set up the search: there is no way to its server")
	}
	search := &searcher{base: base, client: c.Client, timeout: cmp.Or(c.Timeout, 20*time.Second)}
	return skills.Declare(s, append([]tools.Tool{search.tool()}, c.Pages...)...), nil
}

// setup says how there could be a search.
func (c Config) setup() string {
	if c.Setting == "" {
		return ""
	}
	return " The owner can name a SearXNG server in " + c.Setting + "."
}

// baseOf reads the address of a server. That of its page for searches is taken for it.
func baseOf(server string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(server))
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("the search server %q is no address such as https://search.example.org", server)
	case u.User != nil:
		return nil, fmt.Errorf("the address of the search server on %s has a user name or password in it: leave it out", u.Host)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the address of the search server on %s ends before the ? or #: leave out the rest", u.Host)
	}
	path := strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/search"), "/")
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}, nil
}
