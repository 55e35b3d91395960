import { spawn } from "node:child_process";

/** Runs what comes before the tests: independent steps side by side, because most of them leave a core idle. */
const [packages, built] = [run("test-packages"), run("build")];
const both = Promise.all([packages, built]);
await Promise.all([
  both.then(() => run("types")),
  both.then(() => run("unused")),
  built.then(() => run("lint")),
  built.then(() => run("pack:check")),
]);

/** Runs a script of the package, and prints what it printed if it failed. */
async function run(script: string): Promise<void> {
  const began = performance.now();
  const child = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (bytes: Buffer) => output.push(bytes));
  child.stderr.on("data", (bytes: Buffer) => output.push(bytes));
  const code = await new Promise((resolve) => child.on("close", resolve));
  process.stdout.write(`${script}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  if (code === 0) return;
  process.stdout.write(Buffer.concat(output));
  process.exit(1);
}
