import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cases } from "./cases/index.js";
import { prepareOlder } from "./older-version.js";
import { installPeers } from "./peers.js";
import { BEFORE, type Row, type Version } from "./support/case.js";
import { host } from "./support/host.js";
import { table } from "./support/table.js";
import { doWork } from "./worker.js";

const USAGE = "usage: npm run bench -- [--full] [--json] [--before DIR] [CASE…]";
const root = fileURLToPath(new URL("../", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    /** A built checkout of an older version. */
    before: { type: "string" },
    /** How `host` starts its children. */
    work: { type: "boolean", default: false },
  },
});
if (values.work) await doWork(positionals);
else await runCases(positionals.length > 0 ? positionals : Object.keys(cases));

async function runCases(names: string[]): Promise<void> {
  const results: Record<string, { rows: Row[]; notes: string[]; seconds: number }> = {};
  const chosen = names.map((name) => ({ name, load: cases[name] ?? refuse(name) }));
  compile();
  const versions: [Version, ...Version[]] = [{ suffix: "", root }];
  if (values.before !== undefined) versions.push({ suffix: BEFORE, root: resolve(values.before) });
  for (const { name, load } of chosen) {
    const { title, peers, onlyThisVersion, measure } = await load();
    const began = performance.now();
    const notes: string[] = [];
    let rows: Row[] = [];
    try {
      if (peers === true) installPeers();
      for (const older of versions.slice(1)) prepareOlder(older.root, root);
      if (onlyThisVersion !== undefined && versions.length > 1) notes.push(onlyThisVersion);
      rows = await measure(host(name, { full: values.full, versions }, notes));
    } catch (error) {
      // Keep the figures of the other cases, which take minutes.
      notes.push(`failed: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    results[name] = { rows, notes, seconds };
    if (values.json) process.stderr.write(`${name}: ${seconds} s\n`);
    else process.stdout.write(`\n${name}: ${title} (${seconds} s)\n${[table(rows), ...notes].join("\n")}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
}

function refuse(name: string): never {
  process.stderr.write(`there is no case "${name}"; there are ${Object.keys(cases).join(", ")}\n${USAGE}\n`);
  process.exit(2);
}

/** The children run compiled code: a TypeScript loader would cost them time and memory. */
function compile(): void {
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  execFileSync(process.execPath, [tsc, "-p", "bench"], { cwd: root, stdio: "inherit" });
}
