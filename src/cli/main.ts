#!/usr/bin/env node
import { runCommandLine } from "./command-line.js";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as in `dragoman … | head`.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`dragoman: cannot write the output: ${error.message}\n`);
    process.exit(2);
  });
}

const { code, failed } = await runCommandLine(process.argv.slice(2));
process.exitCode = code;
// An input that is still open must not keep the program alive.
if (failed) process.stderr.write("", () => process.exit());
