import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Host, Job, Sample, Version } from "./case.js";
import { median } from "./cpu.js";

const run = promisify(execFile);
const ROUNDS = 3;

interface Entry<J extends Job> {
  job: J;
  version: Version | undefined;
  samples: Sample[];
}

/** The host for the case of this name; its notes are added to `notes`. */
export function host(
  name: string,
  { full, versions }: Pick<Host, "full" | "versions">,
  notes: string[],
): Host {
  const progress = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text === "" ? "" : `${name}: ${text}`}`);
  };
  const sample = async ({ work, argument }: Job, version: Version | undefined): Promise<Sample> => {
    const program = join(version?.root ?? "", ".bench/run.js");
    const { stdout } = await run(process.execPath, [program, "--work", name, work, argument]);
    return JSON.parse(stdout);
  };
  const entriesOf = <J extends Job>(job: J): Entry<J>[] =>
    (job.ours === true ? versions : versions.slice(0, 1)).map((version) => ({
      job: { ...job, label: `${job.label}${version.suffix}` },
      version,
      samples: [],
    }));
  /** Adds a sample; false if the older version cannot do this. */
  const addSample = async ({ job, version, samples }: Entry<Job>): Promise<boolean> => {
    try {
      samples.push(await sample(job, version));
      return true;
    } catch (error) {
      if (version === versions[0]) throw error;
      notes.push(`${job.label}: not measured, ${reasonOf(error)}`);
      return false;
    }
  };
  return {
    full,
    versions,
    async compare(jobs) {
      let entries = jobs.flatMap(entriesOf);
      for (let round = 1; round <= ROUNDS; round++) {
        const able: typeof entries = [];
        for (const entry of entries) {
          progress(`round ${round} of ${ROUNDS}: ${entry.job.label}`);
          if (await addSample(entry)) able.push(entry);
        }
        entries = able;
      }
      progress("");
      const results = entries.map(({ job, samples }) => {
        const late = samples.flatMap(({ lateMs }) => lateMs ?? []);
        return {
          ...job,
          cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
          peakMb: median(samples.map(({ peakMb }) => peakMb)),
          ...(late.length === 0 ? {} : { lateMs: median(late) }),
        };
      });
      const [floor] = results;
      return results.map((result) => ({ ...result, floors: result.cpuMs / (floor ?? result).cpuMs }));
    },
    progress,
    note: (text) => notes.push(text),
  };
}

/** The line of a child's output that names the error. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n").find((line) => /^\w*Error\b/.test(line)) ?? text.split("\n")[0] ?? "";
}
