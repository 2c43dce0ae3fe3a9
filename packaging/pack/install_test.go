package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.yaml.in/yaml/v3"
)

// installation is what a test needs to execute install.sh: a release at a server, a home folder, and a PATH that
// has nothing but the tools that the script names.
type installation struct {
	*testing.T
	files           map[string][]byte // of the release
	home, bin, path string
	env             []string
	// cut is a file whose connection ends before its last byte.
	cut string
}

// tools are what install.sh always executes.
var tools = []string{"sh", "uname", "mkdir", "mktemp", "rm", "cp", "chmod", "mv", "tar", "gzip"}

func newInstallation(t *testing.T, extra ...string) *installation {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for sh")
	}
	i := &installation{T: t, files: map[string][]byte{}, home: t.TempDir(), path: t.TempDir()}
	i.bin = filepath.Join(i.home, ".local", "bin")
	i.allow(tools...)
	i.allow(extra...)
	return i
}

// allow puts tools of this machine into PATH. Without one of them the test is skipped, except for those that each
// machine with a shell has in CI.
func (i *installation) allow(names ...string) {
	i.Helper()
	for _, name := range names {
		program, err := exec.LookPath(name)
		if err != nil && os.Getenv("CI") == "true" && !slices.Contains([]string{"curl", "wget", "shasum", "perl", "openssl", "unzip"}, name) {
			i.Fatal(err)
		} else if err != nil {
			i.Skip(err)
		}
		if err := os.Symlink(program, filepath.Join(i.path, name)); err != nil {
			i.Fatal(err)
		}
	}
}

// script puts a shell script into PATH.
func (i *installation) script(name, text string) {
	i.Helper()
	path := filepath.Join(i.path, name)
	if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755)); err != nil {
		i.Fatal(err)
	}
}

// release makes a release of this platform whose program prints the version. It returns the name of the archive.
func (i *installation) release(version string) string {
	i.Helper()
	name := fmt.Sprintf("reviewledger_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	i.archive(name, "reviewledger", "#!/bin/sh\necho reviewledger "+version+" $1\n")
	return name
}

func (i *installation) archive(name, program, text string) {
	i.Helper()
	i.files[name] = archiveOf(i.T, name, fstest.MapFS{
		"LICENSE": {Data: []byte("license")},
		program:   {Data: []byte(text), Mode: 0o755},
	})
	sum := sha256.Sum256(i.files[name])
	i.files["SHA256SUMS"] = fmt.Appendf(nil, "%x  LICENSE\n%x  %s\n%x  %s.cdx.json\n", sha256.Sum256(nil), sum, name, sha256.Sum256(nil), name)
}

func (i *installation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/of/")
	data, there := i.files[name]
	switch {
	case !there:
		http.NotFound(w, r)
	case name == i.cut:
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data[:len(data)/2])
	default:
		_, _ = w.Write(data)
	}
}

// install executes install.sh.
func (i *installation) install() (code int, out string) {
	i.Helper()
	server := httptest.NewServer(i)
	defer server.Close()
	return i.execute(append(i.environment(), "REVIEWLEDGER_URL="+server.URL+"/of"), filepath.Join("..", "..", "install.sh"))
}

func (i *installation) environment() []string {
	return append([]string{"HOME=" + i.home, "PATH=" + i.path, "TMPDIR=" + i.home}, i.env...)
}

func (i *installation) execute(env []string, script string) (code int, out string) {
	i.Helper()
	cmd := exec.Command("sh", script)
	cmd.Env = env
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		i.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), b.String()
}

// program returns what the installed program prints, and "" if there is none. Nothing else may be left.
func (i *installation) program() string {
	i.Helper()
	for _, pattern := range []string{filepath.Join(i.bin, ".*"), filepath.Join(i.home, "tmp*")} {
		if left, err := filepath.Glob(pattern); err != nil || len(left) > 0 {
			i.Errorf("left: %q (error %v)", left, err)
		}
	}
	out, err := exec.Command(filepath.Join(i.bin, "reviewledger"), "version").Output()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		i.Error(err)
	}
	return string(out)
}

func TestInstall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tools []string
		given func(i *installation)
		code  int
		// Parts of what is printed: HOME stands for the home folder.
		says, not []string
		program   string
	}{
		"curl": {
			tools: []string{"curl", "sha256sum"}, program: "v2 version",
			says: []string{"Installed HOME/.local/bin/reviewledger:\nreviewledger v2 version\n", `export PATH="HOME/.local/bin:$PATH"`, "Install git"},
		},
		"wget": {tools: []string{"wget", "sha256sum"}, program: "v2 version"},
		"the sum by shasum": {
			tools: []string{"curl", "shasum", "perl"}, program: "v2 version",
		},
		"the sum by openssl": {tools: []string{"curl", "openssl"}, program: "v2 version"},
		"nothing to download with": {
			tools: []string{"sha256sum"}, code: 1, says: []string{"error: download a release: install curl or wget first"},
		},
		"nothing to check the sum with": {
			tools: []string{"curl"}, code: 1, says: []string{"error: check the sum of the download: install sha256sum"},
		},
		"its folder is in PATH": {
			tools: []string{"curl", "sha256sum", "git"}, program: "v2 version", not: []string{"PATH", "git"},
			given: func(i *installation) { i.env = append(i.env, "PATH="+i.path+":"+i.bin) },
		},
		"another one comes first": {
			tools: []string{"curl", "sha256sum"}, program: "v2 version", says: []string{"Another one comes first in PATH: "},
			given: func(i *installation) {
				i.script("reviewledger", "")
				i.env = append(i.env, "PATH="+i.path+":"+i.bin)
			},
		},
		"PREFIX": {
			tools: []string{"curl", "sha256sum"}, program: "v2 version", says: []string{"Installed HOME/my own/bin/reviewledger:"},
			given: func(i *installation) {
				i.bin = filepath.Join(i.home, "my own", "bin")
				i.env = append(i.env, "PREFIX="+filepath.Join(i.home, "my own"))
			},
		},
		"PREFIX that is the folder itself": {
			tools: []string{"curl", "sha256sum"}, program: "v2 version", says: []string{"Installed HOME/tools/bin/reviewledger:"},
			given: func(i *installation) {
				i.bin = filepath.Join(i.home, "tools", "bin")
				i.env = append(i.env, "PREFIX="+i.bin+"/")
			},
		},
		"PREFIX that cannot be written": {
			tools: []string{"curl", "sha256sum"}, code: 1, says: []string{`write to the folder "HOME/file/bin": set PREFIX`},
			given: func(i *installation) {
				if err := os.WriteFile(filepath.Join(i.home, "file"), nil, 0o644); err != nil {
					i.Fatal(err)
				}
				i.env = append(i.env, "PREFIX="+filepath.Join(i.home, "file"))
			},
		},
		"neither HOME nor PREFIX": {
			tools: []string{"curl", "sha256sum"}, code: 1, says: []string{"set HOME or PREFIX"},
			given: func(i *installation) { i.env = append(i.env, "HOME=") },
		},
		"a second installation": {
			tools: []string{"curl", "sha256sum"}, program: "v2 version", says: []string{"Replaced HOME/.local/bin/reviewledger:\nreviewledger v2 version\n"},
			given: earlier,
		},
		"a wrong sum": {
			tools: []string{"curl", "sha256sum"}, code: 1, program: "v1 version", says: []string{"Nothing was installed."},
			given: func(i *installation) {
				earlier(i)
				name := i.release("v2")
				i.archive("other.tar.gz", "reviewledger", "other")
				i.files["SHA256SUMS"] = bytes.ReplaceAll(i.files["SHA256SUMS"], []byte("other.tar.gz"), []byte(name))
			},
		},
		"a shorter archive": {
			tools: []string{"curl", "sha256sum"}, code: 1, program: "v1 version", says: []string{"the download may have been cut"},
			given: func(i *installation) {
				earlier(i)
				name := i.release("v2")
				i.files[name] = i.files[name][:len(i.files[name])/2]
			},
		},
		"a cut download": {
			tools: []string{"curl", "sha256sum"}, code: 1, program: "v1 version", says: []string{"error: download "},
			given: func(i *installation) {
				earlier(i)
				i.cut = i.release("v2")
			},
		},
		"no such release": {
			tools: []string{"curl", "sha256sum"}, code: 1, says: []string{`/of/SHA256SUMS": see above; is there such a release`},
			given: func(i *installation) { clear(i.files) },
		},
		"no archive for the platform": {
			tools: []string{"curl", "sha256sum"}, code: 3, says: []string{"has no archive for " + runtime.GOOS + " on " + runtime.GOARCH + ": use Go"},
			given: func(i *installation) { i.archive("reviewledger_plan9_mips.tar.gz", "reviewledger", "") },
		},
		"an unknown system": {
			tools: []string{"curl", "sha256sum"}, code: 3, says: []string{"there are no archives for Plan9 on Plan9: use Go"},
			given: func(i *installation) { i.script("uname", "echo Plan9") },
		},
		"Windows": {
			tools: []string{"curl", "sha256sum", "unzip"}, says: []string{"Installed HOME/.local/bin/reviewledger.exe:\nof Windows\n"},
			given: func(i *installation) {
				i.script("uname", `case $1 in -s) echo MINGW64_NT-10.0-20348 ;; *) echo x86_64 ;; esac`)
				i.archive("reviewledger_windows_amd64.zip", "reviewledger.exe", "#!/bin/sh\necho of Windows\n")
			},
		},
		"a program that does not run here": {
			tools: []string{"curl", "sha256sum"}, code: 1, program: "v1 version", says: []string{`run the new program in "HOME/.local/bin": see above`},
			given: func(i *installation) {
				earlier(i)
				i.archive(i.release("v2"), "reviewledger", "#!/bin/sh\nexit 1\n")
			},
		},
		"a folder of its name": {
			tools: []string{"curl", "sha256sum"}, code: 1, says: []string{`write "HOME/.local/bin/reviewledger": it is a folder`},
			given: func(i *installation) {
				if err := os.MkdirAll(filepath.Join(i.bin, "reviewledger"), 0o755); err != nil {
					i.Fatal(err)
				}
				i.bin = filepath.Join(i.home, "none")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newInstallation(t, c.tools...)
			i.release("v2")
			if c.given != nil {
				c.given(i)
			}
			code, out := i.install()
			out = strings.ReplaceAll(out, i.home, "HOME")
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, part := range c.says {
				if !strings.Contains(out, part) {
					t.Errorf("it does not say %q", part)
				}
			}
			for _, part := range c.not {
				if strings.Contains(out, part) {
					t.Errorf("it says %q", part)
				}
			}
			want := ""
			if c.program != "" {
				want = "reviewledger " + c.program + "\n"
			}
			if got := i.program(); got != want {
				t.Errorf("the program says %q, want %q", got, want)
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// earlier installs v1, and makes a release of v2.
func earlier(i *installation) {
	i.Helper()
	i.release("v1")
	if code, out := i.install(); code != 0 {
		i.Fatal(out)
	}
	i.release("v2")
}

// The action installs an archive where its version has one, and fails if that is not as it should be. Only
// where there is none it asks for Go.
func TestActionInstalls(t *testing.T) {
	t.Parallel()
	var action struct {
		Runs struct {
			Steps []struct{ ID, If, Run string }
		}
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "action.yml"))
	if err == nil {
		err = yaml.Unmarshal(data, &action)
	}
	if err != nil || action.Runs.Steps[0].ID != "install" {
		t.Fatal(action, err)
	}
	checkout, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		folder, version string // of the action, and the input
		given           func(i *installation)
		code            int
		output, program string
	}{
		"the version of the action": {folder: "v2.0.0", program: "reviewledger v2 version\n"},
		"a version":                 {folder: "main", version: "v2.0.0-rc.1", program: "reviewledger v2 version\n"},
		"a branch":                  {folder: "main", output: "go=true\n"},
		"a commit":                  {folder: "v2.0.0", version: "5ebd2b3", output: "go=true\n"},
		"no archive":                {folder: "v2.0.0", output: "go=true\n", given: func(i *installation) { i.archive("x.zip", "x", "") }},
		"a wrong sum": {folder: "v2.0.0", code: 1, given: func(i *installation) {
			name := i.release("v2")
			i.files[name] = append(i.files[name], 0)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newInstallation(t, "curl", "sha256sum")
			i.release("v2")
			if c.given != nil {
				c.given(i)
			}
			server := httptest.NewServer(i)
			defer server.Close()
			folder, step := filepath.Join(i.home, c.folder), filepath.Join(i.home, "step")
			err := errors.Join(os.Symlink(checkout, folder), os.WriteFile(step, []byte("set -e\n"+action.Runs.Steps[0].Run), 0o644))
			if err != nil {
				t.Fatal(err)
			}
			i.bin = filepath.Join(i.home, "bin")
			code, out := i.execute(append(i.environment(), "REVIEWLEDGER_URL="+server.URL+"/of", "ACTION="+folder, "VERSION="+c.version,
				"RUNNER_TEMP="+i.home, "GITHUB_PATH="+filepath.Join(i.home, "path"), "GITHUB_OUTPUT="+filepath.Join(i.home, "output")), step)
			output, err := os.ReadFile(filepath.Join(i.home, "output"))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if got := i.program(); code != c.code || string(output) != c.output || got != c.program {
				t.Errorf("exit code %d, output %q, program %q\n%s", code, output, got, out)
			}
			path, err := os.ReadFile(filepath.Join(i.home, "path"))
			if code == 0 && string(path) != i.bin+"\n" {
				t.Errorf("GITHUB_PATH got %q (error %v)", path, err)
			}
		})
	}
}
