import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cases } from "./cases/index.js";
import { installPeers } from "./peers.js";
import type { Row } from "./support/case.js";
import { host } from "./support/host.js";
import { table } from "./support/table.js";
import { doWork } from "./worker.js";

const USAGE = "usage: npm run bench -- [--full] [--json] [CASE…]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    /** How `host` starts its children. */
    work: { type: "boolean", default: false },
  },
});
if (values.work) await doWork(positionals);
else await runCases(positionals.length > 0 ? positionals : Object.keys(cases));

async function runCases(names: string[]): Promise<void> {
  const results: Record<string, { rows: Row[]; notes: string[] }> = {};
  const chosen = names.map((name) => ({ name, load: cases[name] ?? refuse(name) }));
  compile();
  for (const { name, load } of chosen) {
    const { title, peers, measure } = await load();
    const notes: string[] = [];
    let rows: Row[] = [];
    try {
      if (peers === true) installPeers();
      rows = await measure(host(name, values.full, notes));
    } catch (error) {
      // Keep the figures of the other cases, which take minutes.
      notes.push(`failed: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
    results[name] = { rows, notes };
    if (!values.json) process.stdout.write(`\n${name}: ${title}\n${[table(rows), ...notes].join("\n")}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
}

function refuse(name: string): never {
  process.stderr.write(`there is no case "${name}"; there are ${Object.keys(cases).join(", ")}\n${USAGE}\n`);
  process.exit(2);
}

/** The children run compiled code: a TypeScript loader would cost them time and memory. */
function compile(): void {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  execFileSync(process.execPath, [tsc, "-p", "bench"], { cwd: root, stdio: "inherit" });
}
