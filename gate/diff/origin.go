package diff

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// OriginURL returns the address of the remote "origin" in a form that is the same for all ways to
// write it, "host/path": without scheme, user, credentials, default port and ".git". For a local
// path it returns that path, and "" if there is no such remote. It asks git only if the
// configuration has more than plain lines.
func (r *Repo) OriginURL(ctx context.Context) (string, error) {
	address, sure := plainOrigin(filepath.Join(r.CommonDir, "config"))
	if !sure {
		var err error
		if address, err = r.git.origin(ctx); err != nil {
			return "", fmt.Errorf("read the address of origin: %w", err)
		}
	}
	return normalURL(address, filepath.Dir(r.CommonDir)), nil
}

// origin returns the address of the remote "origin" in the configuration that all working trees of
// the repository share.
func (g git) origin(ctx context.Context) (string, error) {
	out, err := g.run(ctx, call{args: []string{"config", "--local", "--includes", "--get-all", "remote.origin.url"}})
	if exitedWith1(err) {
		return "", nil
	}
	first, _, _ := strings.Cut(out.line(), "\n") // git fetches from the first of several
	return first, err
}

// plainSection and plainSetting match the lines of a configuration that git itself writes. What they
// do not match (quotes, escapes, comments behind a value, lines that go on) is left to git.
var (
	plainSection = regexp.MustCompile(`^\[([A-Za-z0-9-]+)(?: "([^"\\]*)")?\][ \t]*$`)
	plainSetting = regexp.MustCompile(`^[ \t]*([A-Za-z][A-Za-z0-9-]*) ?= ?([^"\\#;\t\r]*)$`)
	plainNothing = regexp.MustCompile(`^[ \t]*([#;].*)?$`)
)

// plainOrigin returns the address of the remote "origin" in a file of configuration, if it is sure
// that git reads it so.
func plainOrigin(file string) (address string, sure bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}
	origin, found := false, false
	for line := range strings.SplitSeq(string(data), "\n") {
		if section := plainSection.FindStringSubmatch(line); section != nil {
			name := strings.ToLower(section[1])
			if name == "include" || name == "includeif" {
				return "", false
			}
			origin = name == "remote" && section[2] == "origin"
		} else if setting := plainSetting.FindStringSubmatch(line); setting != nil {
			if origin && !found && strings.EqualFold(setting[1], "url") { // git fetches from the first of several
				address, found = strings.Trim(setting[2], " "), true
			}
		} else if !plainNothing.MatchString(line) {
			return "", false
		}
	}
	return address, true
}

// RootCommit returns the id of the commit without parents that is reached from HEAD by first
// parents, or "" while there is no commit. In a shallow clone it is the commit at which the history
// was cut off.
func (r *Repo) RootCommit(ctx context.Context) (string, error) {
	if r.Head == "" {
		return "", nil
	}
	out, err := r.git.run(ctx, call{args: []string{"rev-list", "--max-parents=0", "--first-parent", r.Head, "--"}})
	if err != nil {
		return "", fmt.Errorf("find the first commit: %w", err)
	}
	return out.line(), nil
}

// defaultPorts are the ports that an address need not name, by scheme.
var defaultPorts = map[string]string{"https": "443", "http": "80", "ssh": "22", "git+ssh": "22", "ssh+git": "22", "git": "9418"}

// normalURL brings an address of a repository into the form of [Repo.OriginURL]. A relative path is
// relative to the folder.
func normalURL(address, folder string) string {
	if address == "" {
		return ""
	}
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		if strings.EqualFold(scheme, "file") {
			return withoutGit(filepath.ToSlash(filepath.Clean(rest)))
		}
		parsed, err := url.Parse(address)
		if err != nil {
			// Even in a malformed address the text before an at sign may be a password.
			host, path, _ := strings.Cut(rest, "/")
			return strings.ToLower(host[strings.LastIndexByte(host, '@')+1:]) + "/" + strings.TrimLeft(withoutGit(path), "/")
		}
		host := strings.ToLower(parsed.Hostname())
		if port := parsed.Port(); port != "" && port != defaultPorts[strings.ToLower(parsed.Scheme)] {
			host += ":" + port
		}
		return host + "/" + strings.TrimLeft(withoutGit(parsed.Path), "/")
	}
	// user@host:path, unless a slash comes before the colon.
	if host, path, ok := strings.Cut(address, ":"); ok && !strings.Contains(host, "/") && len(host) > 1 {
		host = strings.Trim(host[strings.LastIndexByte(host, '@')+1:], "[]")
		return strings.ToLower(host) + "/" + strings.TrimLeft(withoutGit(path), "/")
	}
	if !filepath.IsAbs(address) {
		address = filepath.Join(folder, address)
	}
	return withoutGit(filepath.ToSlash(filepath.Clean(address)))
}

// withoutGit returns the path without slashes and ".git" at its end.
func withoutGit(path string) string {
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(path, "/"), ".git"), "/")
}
