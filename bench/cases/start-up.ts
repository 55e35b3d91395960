import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Case, Host, Row } from "../support/case.js";
import { median } from "../support/cpu.js";

const run = promisify(execFile);
const ROUNDS = 21;
const VERSION_AT_MOST = 1.5;
/** CPU milliseconds over bare node. */
const IMPORT_AT_MOST: Readonly<Record<string, number>> = {
  'import "dragoman"': 25,
  'import "dragoman/providers"': 60,
};

const BARE = "node -e 0";

/** The arguments of `node`, by label. All are compared with bare node. */
const programs = {
  "dragoman --version": ["dist/cli/main.js", "--version"],
  'import "dragoman"': importing("dragoman"),
  'import "dragoman/core"': importing("dragoman/core"),
  'import "dragoman/framing"': importing("dragoman/framing"),
  'import "dragoman/providers"': importing("dragoman/providers"),
};

function importing(specifier: string): string[] {
  return ["--input-type=module", "-e", `import "${specifier}";`];
}

/** Loaded before the program, because only the process itself can measure its cost up to the end. */
const REPORT = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(String((user + system) / 1000));
});`;

interface Start {
  cpuMs: number;
  wallMs: number;
}

async function start(report: string, args: readonly string[], cwd: string): Promise<Start> {
  const began = performance.now();
  const { stderr } = await run(process.execPath, ["--require", report, ...args], { cwd });
  return { cpuMs: Number(stderr), wallMs: performance.now() - began };
}

async function measure(host: Host): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  try {
    const report = join(folder, "report.cjs");
    await writeFile(report, REPORT);
    const [{ root }] = host.versions;
    const contenders = [
      { label: BARE, args: ["-e", "0"], cwd: root },
      ...Object.entries(programs).flatMap(([label, args]) =>
        host.versions.map(({ suffix, root: cwd }) => ({ label: `${label}${suffix}`, args, cwd })),
      ),
    ];
    const starts = new Map<string, Start[]>(contenders.map(({ label }) => [label, []]));
    for (let round = 1; round <= ROUNDS; round++) {
      host.progress(`round ${round} of ${ROUNDS}`);
      for (const { label, args, cwd } of contenders) {
        starts.get(label)?.push(await start(report, args, cwd));
      }
    }
    host.progress("");
    return rows(starts);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function rows(starts: ReadonlyMap<string, readonly Start[]>): Row[] {
  const medians = [...starts].map(([label, taken]) => ({
    label,
    cpuMs: median(taken.map(({ cpuMs }) => cpuMs)),
    wallMs: median(taken.map(({ wallMs }) => wallMs)),
  }));
  const bare = medians[0]?.cpuMs ?? Number.NaN;
  return medians.map(({ label, cpuMs, wallMs }) => {
    const ratio = cpuMs / bare;
    const over = cpuMs - bare;
    const atMost = IMPORT_AT_MOST[label];
    return {
      label,
      figures: {
        "CPU ms": cpuMs,
        "wall ms": wallMs,
        "× node": label.endsWith("--version") ? { value: ratio, atMost: VERSION_AT_MOST } : ratio,
        "CPU ms over node": atMost === undefined ? over : { value: over, atMost },
      },
    };
  });
}

export const startUp: Case = { title: "what a fresh process costs", works: {}, measure };
