import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { format } from "../src/cli/terminal/table.js";
import { knownName, loadReader } from "../src/convert/detect.js";
import { doJobs } from "./fuzz/crew.js";
import { BLOCK, Inputs } from "./fuzz/inputs.js";
import { names, openCorpus } from "./fuzz/sources.js";
import { addTally, emptyTally, tallyTable } from "./fuzz/tally.js";
import type { Failure, Job } from "./fuzz/worker.js";

/**
 * Damaged inputs for every dialect: `npm run fuzz -- [DIALECT…] [--runs N] [--seed N]`. Each must end in a result or a
 * `DragomanError`, in time, and results must obey the laws. The same seed produces the same inputs.
 */
const WORKERS = availableParallelism();
const LIMIT_MS = 20_000;
const MOST_CHARACTERS = 600;

const root = fileURLToPath(new URL("../", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "200000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
for (const name of positionals) await loadReader(name);
const dialects = positionals.length > 0 ? positionals.map(knownName) : names;

const started = Date.now();
const tallies = new Map(dialects.map((name) => [name, emptyTally()]));
const failures = new Set<string>();
const folder = mkdtempSync(join(tmpdir(), "dragoman-fuzz-"));

compile();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, conclude);
await doJobs(jobs(), {
  root,
  program: new URL("../.fuzz/scripts/fuzz/worker.js", import.meta.url),
  size: WORKERS,
  limitMs: LIMIT_MS,
  onReport(job, report) {
    addTally(tallies.get(job.dialect) ?? emptyTally(), report.tally);
    for (const failure of report.failures) reportFailure(failure);
    showProgress();
  },
  async onLost(job, index, why) {
    const { input, ...run } = (await Inputs.open(job, openCorpus(root))).run(index);
    reportFailure({
      run,
      number: job.block * BLOCK + index,
      law: "ends in time and without a crash",
      message: why,
      input,
    });
  },
});
conclude();

/** Prints the result, also when it is stopped early. */
function conclude(): void {
  clearProgress();
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stdout.write(
    `${tallyTable(tallies)}\nseed ${seed}, ${format(seconds)} s, ${failures.size} failures\n`,
  );
  process.exit(failures.size > 0 ? 1 : 0);
}

/** The dialects in turns, so that a run that is stopped early has tried all of them. */
function jobs(): Job[] {
  const blocks = Array.from({ length: Math.ceil(runs / BLOCK) }, (_, block) => block);
  return blocks.flatMap((block) =>
    dialects.map((dialect) => ({
      dialect,
      seed,
      block,
      runs: Math.min(BLOCK, runs - block * BLOCK),
      skip: [],
    })),
  );
}

/** Reports one input for each law that a dialect breaks. */
function reportFailure({ run, number, law, message, input }: Failure): void {
  const key = `${run.dialect}: ${law}`;
  if (failures.has(key)) return;
  failures.add(key);
  const file = join(folder, `${run.dialect}-${failures.size}.json`);
  writeFileSync(file, input);
  clearProgress();
  const lines = [
    key,
    message.slice(0, MOST_CHARACTERS),
    `input ${file}`,
    `other dialect ${run.other}, provider ${run.provider ?? "none"}`,
    `seed ${seed}, run ${number}`,
  ];
  process.stderr.write(`${lines.join("\n  ")}\n`);
}

function showProgress(): void {
  if (!process.stderr.isTTY) return;
  const done = [...tallies.values()].reduce((sum, tally) => sum + tally.runs, 0);
  const share = `${format(done)} of ${format(runs * dialects.length)} runs`;
  process.stderr.write(`\r\u001b[K${share}, ${format(failures.size)} failures`);
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
}

/** The workers run compiled code: with a TypeScript loader, every import goes through another thread. */
function compile(): void {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", "scripts/fuzz"], { cwd: root, stdio: "inherit" });
  cpSync(join(root, "src/core/generated"), join(root, ".fuzz/src/core/generated"), { recursive: true });
}
