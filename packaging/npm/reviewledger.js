#!/usr/bin/env node
// Starts the program, which is in the package for this platform.
"use strict";
const { spawn } = require("child_process");

const name = `@reviewledger/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/reviewledger${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`error: start reviewledger: the package ${name} is not installed.
Install reviewledger again on this machine, with optional dependencies. If there is no such package,
use Go: go install github.com/reviewledger/reviewledger/cmd/reviewledger@latest`);
  process.exit(2);
}

// Before the program runs, so that no signal ends this process alone. A terminal sends the first two to the
// program, too, which a second one would end at once.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`error: start ${JSON.stringify(program)}: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
