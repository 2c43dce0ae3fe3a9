# Made by .ci/release of reviewledger.
class Reviewledger < Formula
  desc "Checks, reviews and a memory of their findings for coding agents"
  homepage "https://github.com/reviewledger/reviewledger"
  version "@NUMBER@"
  license "Apache-2.0"

  uses_from_macos "git"

  on_macos do
    on_arm do
      url "https://github.com/reviewledger/reviewledger/releases/download/@VERSION@/reviewledger_darwin_arm64.tar.gz"
      sha256 "@reviewledger_darwin_arm64.tar.gz@"
    end
    on_intel do
      url "https://github.com/reviewledger/reviewledger/releases/download/@VERSION@/reviewledger_darwin_amd64.tar.gz"
      sha256 "@reviewledger_darwin_amd64.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/reviewledger/reviewledger/releases/download/@VERSION@/reviewledger_linux_arm64.tar.gz"
      sha256 "@reviewledger_linux_arm64.tar.gz@"
    end
    on_intel do
      url "https://github.com/reviewledger/reviewledger/releases/download/@VERSION@/reviewledger_linux_amd64.tar.gz"
      sha256 "@reviewledger_linux_amd64.tar.gz@"
    end
  end

  def install
    bin.install "reviewledger"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/reviewledger.bash" => "reviewledger"
    zsh_completion.install "completions/_reviewledger"
    fish_completion.install "completions/reviewledger.fish"
  end

  test do
    assert_match "reviewledger v#{version}", shell_output("#{bin}/reviewledger version")
  end
end
