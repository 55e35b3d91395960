import { cases } from "./cases/index.js";
import type { Sample } from "./support/case.js";
import { late, median } from "./support/cpu.js";

/** The child process: runs one work of one case and prints its cost. */
export async function doWork([caseName = "", workName = "", argument = ""]: string[]): Promise<void> {
  const found = await cases[caseName]?.();
  const work = found?.works[workName];
  if (work === undefined) throw new Error(`there is no work "${workName}" in a case "${caseName}"`);
  const cost = await work(argument);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const sample: Sample =
    typeof cost === "number" ? { cpuMs: cost, peakMb } : { cpuMs: median(cost), lateMs: late(cost), peakMb };
  process.stdout.write(JSON.stringify(sample));
}
