import { parentPort, workerData } from "node:worker_threads";
import { BLOCK, type BlockId, Inputs, type Run } from "./inputs.js";
import { Broken, examine } from "./laws.js";
import { shrink } from "./shrink.js";
import { openCorpus } from "./sources.js";
import { count, emptyTally, type Tally } from "./tally.js";

export interface Equipment {
  root: string;
  /** The current run's number, and a count that grows while the worker is alive. */
  pulse: Int32Array;
}

export interface Job extends BlockId {
  runs: number;
  /** Runs in which a worker hung or died. */
  skip: readonly number[];
}

export interface Failure {
  run: Omit<Run, "input">;
  /** Its number among the dialect's runs. */
  number: number;
  law: string;
  message: string;
  input: Uint8Array;
}

export interface Report {
  tally: Tally;
  failures: Failure[];
}

// Most inputs end in an error, and no stack is shown.
Error.stackTraceLimit = 0;

const { root, pulse }: Equipment = workerData;
const corpus = openCorpus(root);
/** One input for each broken law is enough. */
const known = new Set<string>();

parentPort?.on("message", async (job: Job) => {
  parentPort?.postMessage(await work(job));
});

async function work(job: Job): Promise<Report> {
  const inputs = await Inputs.open(job, corpus);
  const report: Report = { tally: emptyTally(), failures: [] };
  for (let index = 0; index < job.runs; index++) {
    if (job.skip.includes(index)) continue;
    Atomics.store(pulse, 0, index);
    Atomics.add(pulse, 1, 1);
    await workOn(inputs.run(index), job.block * BLOCK + index, report);
  }
  return report;
}

async function workOn(run: Run, number: number, { tally, failures }: Report): Promise<void> {
  const start = performance.now();
  const end = await endOf(run);
  tally.runs++;
  const ms = performance.now() - start;
  if (ms > tally.slowest.ms) tally.slowest = { ms, run: number };
  if (!(end instanceof Broken)) {
    count(tally, end);
    return;
  }
  const { law, message } = end;
  if (known.has(`${run.dialect} ${law}`)) return;
  known.add(`${run.dialect} ${law}`);
  const { input, ...rest } = run;
  const fails = async (candidate: Uint8Array) => {
    Atomics.add(pulse, 1, 1);
    const other = await endOf({ ...run, input: candidate });
    return other instanceof Broken && other.law === law;
  };
  failures.push({ run: rest, number, law, message, input: await shrink(input, fails) });
}

async function endOf(run: Run) {
  try {
    return await examine(run);
  } catch (error) {
    if (error instanceof Broken) return error;
    throw error;
  }
}
