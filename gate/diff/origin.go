package diff

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// OriginURL is the address of the remote "origin" in the one form that all ways to write
// it have in common, "host/path": without scheme, user, credentials, default port and
// ".git". Of a path of this machine it is that path. It is empty if there is no such
// remote.
func (r *Repo) OriginURL() (string, error) {
	if r.originErr != nil {
		return "", fmt.Errorf("read the address of origin: %w", r.originErr)
	}
	return normalURL(r.origin, filepath.Dir(r.CommonDir)), nil
}

// origin asks for the address of the remote "origin" as it is configured for all working
// trees of the repository.
func (g git) origin(ctx context.Context) (string, error) {
	out, err := g.run(ctx, call{args: []string{"config", "--local", "--includes", "--get-all", "remote.origin.url"}})
	if exitedWith1(err) {
		return "", nil
	}
	first, _, _ := strings.Cut(out.line(), "\n") // of several git fetches from the first
	return first, err
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
