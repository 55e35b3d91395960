import type { Sample } from "./case.js";
import { cases } from "./cases/index.js";

/** `node worker.js CASE WORK ARGUMENT` does one piece of work and prints what it cost. */
const [caseName = "", workName = "", argument = ""] = process.argv.slice(2);
const found = await cases[caseName]?.();
const work = found?.works[workName];
if (work === undefined) throw new Error(`there is no work "${workName}" in a case "${caseName}"`);
const cpuMs = await work(argument);
const sample: Sample = { cpuMs, peakMb: process.resourceUsage().maxRSS / 1024 };
process.stdout.write(JSON.stringify(sample));
