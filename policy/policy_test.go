package policy

import (
	"errors"
	"testing"

	"github.com/glasskit/glass/contract"
)

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name   string
		config Config
		cap    Capability
		want   Decision
	}{
		{"a person may evaluate", Config{}, Evaluate, Allow},
		{"an agent may not", Config{Frontend: Agent}, Evaluate, Deny},
		{"an agent may when told", Config{Frontend: Agent, Allow: []Capability{Evaluate}}, Evaluate, Allow},
		{"secrets need a word from everyone", Config{}, ReadSensitiveFormValues, Deny},
		{"ci has no raw protocol", Config{Preset: CI}, RawCDP, Deny},
		{"polite asks", Config{Preset: Polite}, PersistentProfile, Confirm},
		{"hardened denies", Config{Preset: Hardened}, Upload, Deny},
		{"hardened with confirmation", Config{Preset: Hardened, Confirm: []Capability{Upload}}, Upload, Confirm},
		{"untrusted denies", Config{Preset: UntrustedMCP}, Screenshot, Deny},
	} {
		p, err := New(c.config)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := p.Decide(c.cap); got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.name, c.cap, got, c.want)
		}
		var f *contract.Failure
		if err := p.Require(c.cap); (err == nil) != (c.want == Allow) || err != nil && !errors.As(err, &f) {
			t.Errorf("%s: Require = %v", c.name, err)
		}
	}
}

func TestConfigurationErrors(t *testing.T) {
	for name, c := range map[string]Config{
		"preset":     {Preset: "lax"},
		"capability": {Allow: []Capability{"fly"}},
		"both":       {Allow: []Capability{Upload}, Confirm: []Capability{Upload}},
		"host":       {AllowHosts: []string{"https://example.com/"}},
		"wildcard":   {DenyHosts: []string{"*"}},
	} {
		var f *contract.Failure
		if _, err := New(c); !errors.As(err, &f) || f.Kind != contract.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckURL(t *testing.T) {
	person, agent := Config{}, Config{Frontend: Agent}
	for _, c := range []struct {
		url    string
		config Config
		want   contract.Kind // "" for allowed
	}{
		{"https://example.com/", agent, ""},
		{"about:blank", agent, ""},
		{"http://127.0.0.1:8080/", agent, ""},
		{"http://127.0.0.1:8080/", Config{Preset: CI}, contract.Denied},
		{"http://[::ffff:10.0.0.1]/", Config{Preset: CI}, contract.Denied},
		{"http://127.0.0.1/", Config{Preset: CI, AllowHosts: []string{"127.0.0.1"}}, ""},
		{"file:///etc/passwd", agent, contract.Denied},
		{" FILE:///etc/passwd", agent, contract.Denied},
		{"file:///tmp/page.html", person, ""},
		{"javascript:alert(1)", agent, contract.Denied},
		{"chrome://version", agent, contract.Denied},
		{"view-source:http://example.com", agent, contract.Denied},
		{"ftp://example.com/", person, contract.Denied},
		{"example.com", person, contract.InvalidArgument},
		{"http://", person, contract.InvalidArgument},
		{"http://allowed.test@evil.test/", person, contract.InvalidArgument},
		{"http://exa\nmple.com/", person, contract.InvalidArgument},
		{"http://a.test/", Config{Preset: UntrustedMCP}, contract.Denied},
		{"http://www.a.test/", Config{Preset: UntrustedMCP, AllowHosts: []string{"*.a.test"}}, ""},
		{"http://a.test/", Config{Preset: UntrustedMCP, AllowHosts: []string{"*.a.test"}}, contract.Denied},
		{"http://evila.test/", Config{Preset: UntrustedMCP, AllowHosts: []string{"*.a.test"}}, contract.Denied},
		{"http://WWW.B.test./", Config{DenyHosts: []string{"www.b.test"}}, contract.Denied},
	} {
		p, err := New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		err = p.CheckURL(c.url)
		var f *contract.Failure
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s under %+v: %v", c.url, c.config, err)
		case c.want != "" && (!errors.As(err, &f) || f.Kind != c.want):
			t.Errorf("%s under %+v: %v, want %s", c.url, c.config, err, c.want)
		}
	}
}
