import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Host, Job, Sample } from "./case.js";
import { median } from "./cpu.js";

const program = fileURLToPath(new URL("../../.bench/run.js", import.meta.url));
const run = promisify(execFile);
const ROUNDS = 3;

/** The host for the case of this name; its notes are added to `notes`. */
export function host(name: string, full: boolean, notes: string[]): Host {
  const progress = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text === "" ? "" : `${name}: ${text}`}`);
  };
  const sample = async ({ work, argument }: Job): Promise<Sample> => {
    const { stdout } = await run(process.execPath, [program, "--work", name, work, argument]);
    return JSON.parse(stdout);
  };
  return {
    full,
    async compare(jobs) {
      const entries = jobs.map((job) => ({ job, samples: [] as Sample[] }));
      for (let round = 1; round <= ROUNDS; round++) {
        for (const { job, samples } of entries) {
          progress(`round ${round} of ${ROUNDS}: ${job.label}`);
          samples.push(await sample(job));
        }
      }
      progress("");
      const results = entries.map(({ job, samples }) => ({
        ...job,
        cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
        peakMb: median(samples.map(({ peakMb }) => peakMb)),
      }));
      const [floor] = results;
      return results.map((result) => ({ ...result, floors: result.cpuMs / (floor ?? result).cpuMs }));
    },
    progress,
    note: (text) => notes.push(text),
  };
}
