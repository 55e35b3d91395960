import { type ChildProcess, spawn } from "node:child_process";

/** Runs all that `npm test` checks: independent steps side by side, because most of them leave a core idle. */
let tests: ChildProcess | undefined;
const [packages, built] = [run("test-packages"), run("build")];
const both = Promise.all([packages, built]);
await Promise.all([
  both.then(runTests),
  both.then(() => run("types")),
  both.then(() => run("unused")),
  built.then(() => run("lint")),
  built.then(() => run("pack:check")),
]);

async function runTests(): Promise<void> {
  tests = spawn("vitest", ["run"], { stdio: "inherit" });
  if ((await ended(tests)) !== 0) process.exit(1);
}

/** Runs a script of the package, and prints what it printed if it failed. */
async function run(script: string): Promise<void> {
  const began = performance.now();
  const child = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (bytes: Buffer) => output.push(bytes));
  child.stderr.on("data", (bytes: Buffer) => output.push(bytes));
  const code = await ended(child);
  process.stdout.write(`${script}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  if (code === 0) return;
  process.stdout.write(Buffer.concat(output));
  // It stops what the tests have started.
  if (tests?.kill()) await ended(tests);
  process.exit(1);
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on("close", resolve));
}
