package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var releaseFolder = flag.String("release", "", "make two releases in this folder, compare them, and install one in each way; those that are there already are taken")

const releaseVersion = "v1.2.3"

// A release as it is made for users: everything in it is installed from its files, and executed.
func TestRelease(t *testing.T) {
	if *releaseFolder == "" {
		t.Skip("it takes many minutes: use -release FOLDER")
	}
	r := &release{T: t, commit: strings.TrimSpace(commandOutput(t, "git", "rev-parse", "HEAD"))}
	r.says = fmt.Sprintf("reviewledger %s, commit %s of %s, %s, SQLite ", releaseVersion, r.commit,
		strings.TrimSpace(commandOutput(t, "git", "log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%d")), runtime.Version())
	r.dir = filepath.Join(*releaseFolder, "one")
	r.make(filepath.Join("..", ".."), r.dir)
	for name, test := range map[string]func(*release){
		"a second one is equal": (*release).isReproducible, "sums": (*release).hasSums, "archives": (*release).hasArchives,
		"modules": (*release).listsModules, "install.sh": (*release).installs, "dpkg": (*release).installsWithDpkg,
		"rpm": (*release).installsWithRPM, "npm": (*release).installsWithNPM, "formula": (*release).hasFormula, "image": (*release).hasImage,
	} {
		t.Run(name, func(t *testing.T) { test(&release{T: t, dir: r.dir, commit: r.commit, says: r.says}) })
	}
}

type release struct {
	*testing.T
	dir, commit, says string
}

// make makes a release of a checkout, if it is not there.
func (r *release) make(checkout, out string, env ...string) {
	r.Helper()
	if _, err := os.Stat(filepath.Join(out, "SHA256SUMS")); err == nil {
		return
	}
	out, err := filepath.Abs(out)
	if err != nil {
		r.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(checkout, ".ci", "release"), releaseVersion, out)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		r.Fatal(err)
	}
}

func commandOutput(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func (r *release) need(programs ...string) {
	r.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			r.Skip(err)
		}
	}
}

func (r *release) needRoot() {
	r.Helper()
	if os.Getuid() != 0 {
		r.Skip("it needs root")
	}
}

func (r *release) read(name string) []byte {
	r.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.Fatal(err)
	}
	return data
}

// isReproducible makes the release again: from another folder, with nothing that was compiled before.
func (r *release) isReproducible() {
	two, checkout := filepath.Join(*releaseFolder, "two"), r.TempDir()
	commandOutput(r.T, "git", "clone", "--quiet", filepath.Join("..", ".."), checkout)
	r.make(checkout, two, "GOCACHE="+r.TempDir())
	files, err := os.ReadDir(r.dir)
	if err != nil {
		r.Fatal(err)
	}
	for _, file := range files {
		again, err := os.ReadFile(filepath.Join(two, file.Name()))
		if err != nil || !bytes.Equal(again, r.read(file.Name())) {
			r.Errorf("%s differs (error %v)", file.Name(), err)
		}
	}
}

func (r *release) hasSums() {
	var listed strings.Builder
	err := fs.WalkDir(os.DirFS(r.dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && name != "SHA256SUMS" {
			fmt.Fprintf(&listed, "%x  %s\n", sha256.Sum256(r.read(name)), name)
		}
		return err
	})
	if sums := string(r.read("SHA256SUMS")); err != nil || sums != listed.String() {
		r.Errorf("error %v, SHA256SUMS:\n%s", err, sums)
	}
}

var platforms = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// archive returns the name of the archive for a platform, and of the program in it.
func archive(platform string) (name, program string) {
	if strings.HasPrefix(platform, "windows_") {
		return "reviewledger_" + platform + ".zip", "reviewledger.exe"
	}
	return "reviewledger_" + platform + ".tar.gz", "reviewledger"
}

func (r *release) hasArchives() {
	for _, platform := range platforms {
		name, program := archive(platform)
		var found []string
		err := eachEntry(name, r.read(name), func(info fs.FileInfo, path string, in io.Reader) error {
			found = append(found, path)
			if path == program {
				r.isBuiltFor(platform, info, in)
			}
			return nil
		})
		if err != nil {
			r.Error(err)
		}
		for _, want := range []string{program, "LICENSE", "LICENSES.txt", "man/reviewledger.1", "man/reviewledger-run.1", "completions/_reviewledger",
			"completions/reviewledger.bash", "completions/reviewledger.fish", "completions/reviewledger.ps1"} {
			if !slices.Contains(found, want) {
				r.Errorf("%s: %s is not in %q", name, want, found)
			}
		}
	}
	name, _ := archive(runtime.GOOS + "_" + runtime.GOARCH)
	folder := r.TempDir()
	commandOutput(r.T, "tar", "-xzf", filepath.Join(r.dir, name), "-C", folder)
	r.runs(newInstallation(r.T, "git"), filepath.Join(folder, "reviewledger"))
}

// isBuiltFor reads what Go has written into a program.
func (r *release) isBuiltFor(platform string, info fs.FileInfo, in io.Reader) {
	r.Helper()
	data, err := io.ReadAll(in)
	if err != nil {
		r.Fatal(err)
	}
	built, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		r.Fatal(platform, err)
	}
	settings := map[string]string{}
	for _, setting := range built.Settings {
		settings[setting.Key] = setting.Value
	}
	if info.Mode().Perm() != 0o755 || built.Main.Version != releaseVersion || settings["GOOS"]+"_"+settings["GOARCH"] != platform ||
		settings["vcs.revision"] != r.commit || settings["vcs.modified"] != "false" || settings["-trimpath"] != "true" {
		r.Errorf("%s: %v, %s, %v", platform, info.Mode(), built.Main.Version, settings)
	}
	if !bytes.Contains(data, []byte(releaseVersion)) {
		r.Errorf("%s: the version is not in it", platform)
	}
}

// runs executes the program as somebody who has just installed it: in an empty home folder, with git but without Go.
func (r *release) runs(i *installation, command ...string) {
	r.Helper()
	for argument, want := range map[string]string{"version": r.says, "demo": "Status: Passed"} {
		cmd := exec.Command(command[0], append(command[1:], argument)...)
		cmd.Dir, cmd.Env = i.home, i.environment()
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			r.Errorf("%q %s: error %v, %q is not in\n%s", command, argument, err, want, out)
		}
	}
}

func (r *release) listsModules() {
	for _, platform := range platforms {
		var list struct {
			BOMFormat string
			Metadata  struct {
				Component struct{ Name, Version string }
			}
			Components []struct{ Name, Version string }
		}
		if err := json.Unmarshal(r.read("reviewledger_"+platform+".cdx.json"), &list); err != nil {
			r.Fatal(err)
		}
		names := map[string]string{}
		for _, module := range list.Components {
			names[module.Name] = module.Version
		}
		if list.BOMFormat != "CycloneDX" || list.Metadata.Component.Version != releaseVersion || names["modernc.org/sqlite"] == "" || names["std"] != runtime.Version() {
			r.Errorf("%s: %+v", platform, list)
		}
	}
}

// installs executes install.sh with a server on this machine.
func (r *release) installs() {
	server := httptest.NewServer(http.FileServer(http.Dir(r.dir)))
	defer server.Close()
	i := newInstallation(r.T, "curl", "sha256sum", "git")
	code, out := i.execute(append(i.environment(), "REVIEWLEDGER_URL="+server.URL), filepath.Join(r.dir, "install.sh"))
	if code != 0 || !strings.Contains(out, r.says) {
		r.Fatal(code, out)
	}
	r.runs(i, filepath.Join(i.bin, "reviewledger"))
}

// installsWithDpkg installs below a folder, where dpkg knows the packages of this machine.
func (r *release) installsWithDpkg() {
	r.need("dpkg")
	r.needRoot()
	root := r.TempDir()
	admin := filepath.Join(root, "var", "lib", "dpkg")
	status, err := os.ReadFile("/var/lib/dpkg/status")
	err = errors.Join(err, os.MkdirAll(filepath.Join(admin, "info"), 0o755), os.MkdirAll(filepath.Join(admin, "updates"), 0o755),
		os.WriteFile(filepath.Join(admin, "status"), status, 0o644))
	if err != nil {
		r.Fatal(err)
	}
	dpkg := func(args ...string) string {
		return commandOutput(r.T, "dpkg", append([]string{"--root=" + root, "--log=" + os.DevNull}, args...)...)
	}
	dpkg("--install", filepath.Join(r.dir, "reviewledger_linux_"+runtime.GOARCH+".deb"))
	r.runs(newInstallation(r.T, "git"), filepath.Join(root, "usr", "bin", "reviewledger"))
	listed := dpkg("--listfiles", "reviewledger")
	for _, name := range []string{"/usr/share/man/man1/reviewledger.1", "/usr/share/bash-completion/completions/reviewledger", "/usr/share/doc/reviewledger/copyright"} {
		if !strings.Contains(listed, name+"\n") {
			r.Errorf("%s is not in\n%s", name, listed)
		}
	}
	dpkg("--remove", "reviewledger")
	if _, err := os.Stat(filepath.Join(root, "usr", "bin", "reviewledger")); !errors.Is(err, fs.ErrNotExist) {
		r.Error("it is still there after it was removed", err)
	}
}

// installsWithRPM installs below a folder, where no other package is known.
func (r *release) installsWithRPM() {
	r.need("rpm")
	r.needRoot()
	root, file := r.TempDir(), filepath.Join(r.dir, "reviewledger_linux_"+runtime.GOARCH+".rpm")
	if needed := commandOutput(r.T, "rpm", "-qp", "--requires", file); !strings.Contains(needed, "git\n") {
		r.Errorf("it needs %q", needed)
	}
	commandOutput(r.T, "rpm", "--root", root, "--nodeps", "--install", file)
	r.runs(newInstallation(r.T, "git"), filepath.Join(root, "usr", "bin", "reviewledger"))
}

func (r *release) installsWithNPM() {
	r.need("npm", "node")
	folder := r.TempDir()
	var files []string
	for _, name := range []string{"reviewledger_npm.tgz", "reviewledger_npm_" + nodePlatform() + ".tgz"} {
		file, err := filepath.Abs(filepath.Join(r.dir, name))
		if err != nil {
			r.Fatal(err)
		}
		files = append(files, file)
	}
	cmd := exec.Command("npm", append([]string{"install", "--offline", "--no-audit", "--no-fund", "--no-update-notifier"}, files...)...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "npm_config_cache="+r.TempDir(), "HOME="+folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("%v\n%s", err, out)
	}
	r.runs(newInstallation(r.T, "git", "node", "env"), filepath.Join(folder, "node_modules", ".bin", "reviewledger"))
}

func (r *release) hasFormula() {
	formula := string(r.read("reviewledger.rb"))
	found := regexp.MustCompile(`url "https://github.com/reviewledger/reviewledger/releases/download/`+releaseVersion+`/([^"]*)"\n +sha256 "([^"]*)"`).FindAllStringSubmatch(formula, -1)
	if len(found) != 4 || strings.Contains(formula, "@") || !strings.Contains(formula, `version "`+releaseVersion[1:]+`"`) {
		r.Error(formula)
	}
	for _, archive := range found {
		if sum := fmt.Sprintf("%x", sha256.Sum256(r.read(archive[1]))); sum != archive[2] {
			r.Errorf("%s has the sum %s, the formula %s", archive[1], sum, archive[2])
		}
	}
	r.need("ruby")
	commandOutput(r.T, "ruby", "-c", filepath.Join(r.dir, "reviewledger.rb"))
}

// hasImage makes the files of the image as the Dockerfile does, on this machine, and runs the program with
// nothing but them.
func (r *release) hasImage() {
	r.need("git", "ldd", "unshare", "chroot")
	r.needRoot()
	if _, err := os.Stat("/bin/busybox"); err != nil {
		r.Skip("the package busybox-static is missing")
	}
	_, lines, there := strings.Cut(string(r.read("Dockerfile")), "RUN <<'EOF'\n")
	lines, _, ended := strings.Cut(lines, "\nEOF\n")
	given := "program=/program/reviewledger image=/image"
	if !there || !ended || !strings.Contains(lines, given) {
		r.Fatal(lines)
	}
	name, _ := archive("linux_" + runtime.GOARCH)
	work := r.TempDir()
	commandOutput(r.T, "tar", "-xzf", filepath.Join(r.dir, name), "-C", work)
	image := filepath.Join(work, "image")
	commandOutput(r.T, "sh", "-c", strings.Replace(lines, given, "program="+filepath.Join(work, "reviewledger")+" image="+image, 1))
	if err := errors.Join(os.Mkdir(filepath.Join(image, "proc"), 0o755), os.Mkdir(filepath.Join(image, "dev"), 0o755)); err != nil {
		r.Fatal(err)
	}
	// A container has these two from its runtime.
	inside := []string{"unshare", "--mount", "sh", "-c", `mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"`, image}
	i := newInstallation(r.T)
	i.env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/tmp", "TMPDIR=/tmp"}
	r.runs(i, append(inside, "/usr/bin/reviewledger")...)
	// Over HTTPS git comes as far as the server, of which there is none.
	cmd := exec.Command(inside[0], append(inside[1:], "/usr/bin/git", "ls-remote", "https://127.0.0.1:9/x")...)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "Failed to connect") {
		r.Errorf("git: error %v\n%s", err, out)
	}
}
