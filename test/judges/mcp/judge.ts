import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Installed, installProgram } from "../install.js";
import { reasonFor, type Side, SUITE } from "./expected-failures.js";
import { startSuiteServer } from "./suite-server.js";

/** The last revision with the handshake, and the first without. */
const revisions = ["2025-11-25", "2026-07-28"] as const;

export interface McpVerdict {
  side: Side;
  revision: string;
  passed: string[];
  failed: string[];
  /** Scenarios that did not end as expected. */
  problems: string[];
}

const LIMIT_MS = 600_000;
/** The suite starts all clients of a run at once. */
const SCENARIO_MS = 180_000;

/** Runs the official conformance suite against our client and server, in both eras. */
export async function* judgeMcp(): AsyncGenerator<McpVerdict> {
  const suite = await installProgram(SUITE, SUITE.version);
  const folder = mkdtempSync(join(tmpdir(), "dragoman-mcp-"));
  try {
    const server = await startSuiteServer(join(folder, "home"));
    for (const revision of revisions) {
      const args = ["server", "--url", server.url, "--requirements", revision];
      yield verdict("server", revision, await runSuite(suite, args, folder));
    }
    await server.close();
    const tsx = fileURLToPath(new URL("../../../node_modules/tsx/dist/cli.mjs", import.meta.url));
    const driver = fileURLToPath(new URL("client-driver.ts", import.meta.url));
    const command = `${process.execPath} ${tsx} ${driver}`;
    for (const revision of revisions) {
      const args = [
        "client",
        "--command",
        command,
        "--requirements",
        revision,
        "--timeout",
        String(SCENARIO_MS),
      ];
      yield verdict("client", revision, await runSuite(suite, args, folder));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the suite prints. Its exit code does not matter, because it does not know our expectations. */
function runSuite(
  { command: [program = "", ...first] }: Installed,
  args: string[],
  cwd: string,
): Promise<string> {
  return new Promise((done) => {
    const options = { cwd, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, [...first, ...args, "-o", join(cwd, "results")], options, (_, stdout) => done(stdout));
  });
}

/** `✗ server-stateless: 21 passed, 4 failed, 1 warnings` */
const LINE = /^([✓✗]) (\S+): \d+ passed/gm;

function verdict(side: Side, revision: string, output: string): McpVerdict {
  const lines = [...output.matchAll(LINE)].map(([, mark, scenario = ""]) => ({ mark, scenario }));
  const passed = lines.filter(({ mark }) => mark === "✓").map(({ scenario }) => scenario);
  const failed = lines.filter(({ mark }) => mark === "✗").map(({ scenario }) => scenario);
  const problems = [
    ...(lines.length === 0 ? [`the suite did not run: ${output.slice(-500)}`] : []),
    ...failed.filter((one) => reasonFor(side, one) === undefined).map((one) => `${one} fails`),
    ...passed.filter((one) => reasonFor(side, one) !== undefined).map((one) => `${one} passes now`),
  ];
  return { side, revision, passed, failed, problems };
}
