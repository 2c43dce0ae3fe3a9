package diff

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// OriginURL is the address of the remote "origin" in the one form that all ways to write
// it have in common, "host/path": without scheme, user, credentials, default port and
// ".git". Of a path of this machine it is that path. It is empty if there is no such
// remote. In an ordinary repository it takes no git call.
func (r *Repo) OriginURL(ctx context.Context) (string, error) {
	name := filepath.Join(r.CommonDir, "config")
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read the address of origin: %w", err)
	}
	address, plain := plainOrigin(data)
	if !plain {
		out, err := r.git.run(ctx, call{args: []string{"config", "--file", name, "--includes", "--get-all", "remote.origin.url"}})
		if exited(err, 1) {
			return "", nil
		}
		if err != nil {
			return "", fmt.Errorf("read the address of origin: %w", err)
		}
		address, _, _ = strings.Cut(out.line(), "\n") // of several git fetches from the first
	}
	return normalURL(address, filepath.Dir(r.CommonDir)), nil
}

// RootCommit is the id of the commit without a parent that following first parents from
// HEAD leads to. It is empty while there is no commit. In a shallow clone it is where the
// history was cut off.
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

var (
	configSection = regexp.MustCompile(`^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"([^"\\]*)")?\s*\]\s*$`)
	configSetting = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*([^"\\;#]*?)\s*$`)
)

// plainOrigin reads the address from a configuration as git writes it. It reports false
// for whatever only git reads correctly: includes, quotes, escapes, comments.
func plainOrigin(data []byte) (address string, plain bool) {
	if bytes.Contains(bytes.ToLower(data), []byte("include")) {
		return "", false
	}
	inOrigin := false
	for line := range strings.Lines(string(data)) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") {
			section := configSection.FindStringSubmatch(trimmed)
			if section == nil {
				return "", false
			}
			inOrigin = strings.EqualFold(section[1], "remote") && section[2] == "origin"
			continue
		}
		if !inOrigin && !strings.HasSuffix(trimmed, `\`) || trimmed == "" {
			continue
		}
		setting := configSetting.FindStringSubmatch(trimmed)
		if setting == nil {
			return "", false
		}
		if inOrigin && strings.EqualFold(setting[1], "url") && address == "" {
			address = setting[2]
		}
	}
	return address, true
}

// defaultPorts are the ports that need not be written, by scheme.
var defaultPorts = map[string]string{"https": "443", "http": "80", "ssh": "22", "git+ssh": "22", "ssh+git": "22", "git": "9418"}

// normalURL brings an address of a repository into the form of [Repo.OriginURL]. A
// relative path starts at the folder.
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
			// What comes before an at sign may be a password, whatever else is wrong.
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

// withoutGit is the path without what may stand at its end: slashes, ".git".
func withoutGit(path string) string {
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(path, "/"), ".git"), "/")
}
