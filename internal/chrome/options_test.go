package chrome

import (
	"slices"
	"strings"
	"testing"
)

func TestOptionsAreChecked(t *testing.T) {
	tests := []struct {
		name string
		o    LaunchOptions
		good bool
	}{
		{"nothing", LaunchOptions{}, true},
		{"a viewport", LaunchOptions{Width: 800, Height: 600}, true},
		{"half a viewport", LaunchOptions{Width: 800}, false},
		{"a viewport below zero", LaunchOptions{Width: -1, Height: 600}, false},
		{"a huge viewport", LaunchOptions{Width: 20000, Height: 600}, false},
		{"a port that is none", LaunchOptions{Port: 70000}, false},
		{"incognito", LaunchOptions{Incognito: true}, true},
		{"incognito with a profile", LaunchOptions{Incognito: true, Profile: "work"}, false},
		{"a profile that is a path", LaunchOptions{Profile: "../work"}, false},
		{"an http proxy", LaunchOptions{ProxyServer: "http://127.0.0.1:8080"}, true},
		{"a proxy on IPv6", LaunchOptions{ProxyServer: "http://[::1]:8080"}, true},
		{"a socks proxy", LaunchOptions{ProxyServer: "socks5://proxy.test:1080"}, true},
		{"no proxy at all", LaunchOptions{ProxyServer: "direct://"}, false},
		{"a proxy or none", LaunchOptions{ProxyServer: "http://127.0.0.1:8080,direct://"}, false},
		{"a list by scheme", LaunchOptions{ProxyServer: "http=127.0.0.1:8080"}, false},
		{"a proxy with a password", LaunchOptions{ProxyServer: "http://u:p@127.0.0.1:8080"}, false},
		{"a proxy without port", LaunchOptions{ProxyServer: "http://127.0.0.1"}, false},
		{"flags that are allowed", LaunchOptions{ExtraFlags: []string{"--lang=de", "--force-dark-mode"}}, true},
		{"remote debugging", LaunchOptions{ExtraFlags: []string{"--remote-debugging-port=9222"}}, false},
		{"another address", LaunchOptions{ExtraFlags: []string{"--remote-debugging-address=0.0.0.0"}}, false},
		{"another origin", LaunchOptions{ExtraFlags: []string{"--remote-allow-origins=*"}}, false},
		{"another profile", LaunchOptions{ExtraFlags: []string{"--user-data-dir=/home"}}, false},
		{"an extension", LaunchOptions{ExtraFlags: []string{"--load-extension=/x"}}, false},
		{"a command", LaunchOptions{ExtraFlags: []string{"--renderer-cmd-prefix=xterm -e"}}, false},
		{"no sandbox by the back door", LaunchOptions{ExtraFlags: []string{"--no-sandbox"}}, false},
		{"a proxy by the back door", LaunchOptions{ExtraFlags: []string{"--proxy-server=direct://"}}, false},
		{"popups", LaunchOptions{ExtraFlags: []string{"--disable-popup-blocking"}}, false},
		{"one dash", LaunchOptions{ExtraFlags: []string{"-lang=de"}}, false},
		{"three dashes", LaunchOptions{ExtraFlags: []string{"---lang=de"}}, false},
		{"the end of flags", LaunchOptions{ExtraFlags: []string{"--"}}, false},
		{"an address", LaunchOptions{ExtraFlags: []string{"http://pages.test/"}}, false},
		{"a line break", LaunchOptions{ExtraFlags: []string{"--lang=de\n--no-sandbox"}}, false},
		{"a long value", LaunchOptions{ExtraFlags: []string{"--user-agent=" + strings.Repeat("x", maxFlag)}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.o.check()
			if (err == nil) != tt.good || err != nil && kindOf(err) != Invalid {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	base := LaunchOptions{Width: 800, Height: 600}
	headed, port, proxy, bare := base, base, base, base
	headed.Headed, port.Port, proxy.ProxyServer, bare.NoSandbox = true, 9222, "http://127.0.0.1:1", true
	tests := []struct {
		name string
		o    LaunchOptions
		with []string
		not  []string // prefixes
	}{
		{"headless", base, []string{"--headless", "--window-size=800,600", "--remote-debugging-pipe", "--user-data-dir=/u"},
			[]string{"--no-sandbox", "--remote-debugging-port", "--proxy-server", "--disable-popup-blocking",
				"--disable-dev-shm-usage", "--enable-automation", "--disable-blink-features"}},
		{"headed", headed, nil, []string{"--headless", "--hide-scrollbars", "--mute-audio"}},
		{"with a port", port, []string{"--remote-debugging-port=9222", "--remote-debugging-pipe"}, nil},
		{"behind a proxy", proxy, []string{"--proxy-server=http://127.0.0.1:1", "--proxy-bypass-list=<-loopback>",
			"--webrtc-ip-handling-policy=disable_non_proxied_udp"}, nil},
		{"without sandbox", bare, []string{"--no-sandbox"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := arguments(tt.o, "/u", false)
			for _, want := range tt.with {
				if !slices.Contains(args, want) {
					t.Errorf("%s is missing", want)
				}
			}
			for _, prefix := range tt.not {
				if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, prefix) }) {
					t.Errorf("%s is there", prefix)
				}
			}
		})
	}
	if args := arguments(base, "/u", true); !slices.Contains(args, "--disable-dev-shm-usage") {
		t.Error("a small /dev/shm is not respected")
	}
}

func TestEnvironmentIsAnAllowList(t *testing.T) {
	base := []string{"PATH=/bin", "LC_ALL=C.UTF-8", "DISPLAY=:0", "API_TOKEN=secret", "HTTPS_PROXY=http://x", "TMPDIR=/tmp",
		"LD_PRELOAD=/x.so", "GOOGLE_API_KEY=x", "HOME=/home"}
	own := []string{"TMPDIR=/own"}
	want := []string{"TMPDIR=/own", "PATH=/bin", "LC_ALL=C.UTF-8", "HOME=/home"}
	if got := environment(base, own, false); !slices.Equal(got, want) {
		t.Errorf("headless: %v", got)
	}
	want = []string{"TMPDIR=/own", "PATH=/bin", "LC_ALL=C.UTF-8", "DISPLAY=:0", "HOME=/home"}
	if got := environment(base, own, true); !slices.Equal(got, want) {
		t.Errorf("headed: %v", got)
	}
}
