package diff

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIsSecretName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".env": true, "a/b/.env": true, ".env.local": true, ".ENV.Production": true, ".env.example": false,
		".env.local.sample": false, ".env.example.local": true, ".envrc": false, "env": false, "x.env": false,
		"tls/server.pem": true, "a.KEY": true, "a.pfx": true, "a.p12": true, "key": false, "monkey": false,
		"id_dsa": true, "ID_ECDSA": true, "id_ed25519": true, "id_ecdsa_sk": true, "id_ed25519_sk": true, "id_xmss": true,
		".env~": true, "id_rsa.old": true, "tls.key.bak": true, "a.save": false, "old": false, ".pgpass": true, ".git-credentials": true,
		"a.jks": true, "a.keystore": true, "a.kdbx": true, "a.p8": true, ".env.example.bak": false,
		"a.pem": true, "a.ppk": true, "a.pub": false, "pem": false,
		"id_rsa": true, ".ssh/id_ed25519": true, "id_rsa.pub": false, ".netrc": true, "_netrc": true, "secret/f": false,
	} {
		if got := isSecretName(name); got != want {
			t.Errorf("isSecretName(%q) = %t", name, got)
		}
	}
}

func TestSnapshotSecrets(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("tracked.pem", "1")
	s.commit()
	s.write("tracked.pem", "2")
	s.write("deploy/.env", "token")
	s.write(".env.example", "token=")
	s.write("staged.key", "token")
	s.git("add", "staged.key")
	snapshot := s.checkSnapshot(map[string]string{"tracked.pem": "2", ".env.example": "token=", "staged.key": "token"})
	want := []string{"left out of the snapshot: \"deploy/.env\" is untracked and named like a secret; `include_secrets: true` takes it in"}
	if diff := cmp.Diff(want, snapshot.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	got, err := s.open().Snapshot(context.Background(), SnapshotOptions{IncludeSecrets: true})
	if err != nil || len(got.Warnings) > 0 || s.tree(got.Tree)["deploy/.env"] != "token" {
		t.Errorf("with secrets: %+v, %v", got, err)
	}
}

func TestSnapshotNamesWhatIsUnreviewed(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for _, name := range []string{"logs/a", "logs/b/c", "logs.txt", "f", "docs/reviews/x"} {
		s.write(name, "1")
	}
	s.commit()
	want := []string{"docs/reviews/x", "logs/a", "logs/b/c"}
	for _, version := range []string{"2", "4"} {
		s.git("update-index", "--index-version", version)
		if diff := cmp.Diff(want, s.snapshot("logs", "docs/reviews", "absent").Unreviewed); diff != "" {
			t.Errorf("index version %s (-want +got):\n%s", version, diff)
		}
	}
	s.git("update-index", "--split-index")
	if diff := cmp.Diff(want, s.snapshot("logs", "docs/reviews", "absent").Unreviewed); diff != "" {
		t.Errorf("split index (-want +got):\n%s", diff)
	}
}

func TestSnapshotGitlinks(t *testing.T) {
	t.Parallel()
	library := newSandbox(t)
	library.write("f", "1")
	library.commit()
	s := newSandbox(t)
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.dir, "known")
	s.git("-c", "protocol.file.allow=always", "clone", "-q", library.dir, "nameless")
	s.git("-c", "advice.addEmbeddedRepo=false", "add", "nameless")
	s.commit()
	if got, want := s.snapshot().Warnings, []string{
		`left out of the snapshot: the files in "nameless", which is the commit of another repository, and not named by .gitmodules`,
	}; cmp.Diff(want, got) != "" {
		t.Errorf("warnings %q, want %q", got, want)
	}
	s.remove("nameless")
	s.git("rm", "-q", "--cached", "nameless")
	s.remove("known")
	if got := s.snapshot().Warnings; len(got) > 0 {
		t.Errorf("warnings of a submodule that is not checked out: %q", got)
	}
	s.write("known/hidden.go", "package hidden\n")
	if got, want := s.snapshot().Warnings, []string{
		`left out of the snapshot: the files in the submodule "known", whose folder is not a repository`,
	}; cmp.Diff(want, got) != "" {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// Rule: Nothing is left out without a word.
func TestIgnoredOutside(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write(".gitignore", "*.log\n")
	s.write("tracked.mine", "1")
	s.git("add", "--force", "tracked.mine")
	s.commit()
	s.write(".git/info/exclude", "*.mine\n*.pem\n")
	s.write("../ignored", "notes/\n")
	s.git("config", "core.excludesFile", s.path("../ignored"))
	s.write(".venv/.gitignore", "*\n")
	s.write("deep/.gitignore", ".gitignore\nhidden\n")
	s.write("built/.gitignore", "out\n") // in the snapshot
	s.write("all.log/.gitignore", "*\n") // the tracked one ignores its folder
	for _, name := range []string{".venv/a", ".venv/[lib]/b", "deep/hidden", "deep/shown", "built/out", "all.log/c", "a.log", "b.mine", "b.log.mine", "notes/todo", "new.txt", ".env", "own/c.mine", "d.pem"} {
		s.write(name, "text")
	}
	repo := s.open()
	if got, err := repo.IgnoredOutside(context.Background()); err != nil || got != nil {
		t.Errorf("without a snapshot: %q, %v", got, err)
	}
	if _, err := repo.Snapshot(context.Background(), SnapshotOptions{Exclude: []string{"own"}}); err != nil {
		t.Fatal(err)
	}
	got, err := repo.IgnoredOutside(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".venv/.gitignore", ".venv/[lib]/b", ".venv/a", "b.log.mine", "b.mine", "d.pem", "deep/.gitignore", "deep/hidden", "notes/todo"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
