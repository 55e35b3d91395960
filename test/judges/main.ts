import { parseArgs } from "node:util";
import type { ServedApi } from "../fakes/strict/provider.js";
import { writePage } from "./compatibility-page.js";
import { installProgram, newestVersion } from "./install.js";
import { judge, providers, type Verdict } from "./judge.js";
import type { Program } from "./programs/program.js";
import { programs } from "./programs/registry.js";

/**
 * Runs released coding agents through the gateway: `npm run judges -- [--only NAME,…] [--to API,…] [--latest] [--write]
 * [--install]`.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    to: { type: "string" },
    latest: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    install: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

/** The entries of a list with commas; all if it is absent. */
function chosen<T extends string>(list: string | undefined, all: readonly T[]): T[] {
  if (list === undefined) return [...all];
  const wanted = list.split(",");
  const unknown = wanted.find((name) => !all.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`unknown name "${unknown}"; use ${all.join(", ")}`);
  return all.filter((name) => wanted.includes(name));
}

async function judgeProgram(program: Program, targets: readonly ServedApi[]): Promise<Verdict[]> {
  const version = values.latest ? await newestVersion(program) : program.version;
  if (version !== program.version) {
    process.stdout.write(`${program.title}: ${version} is newer than the pinned ${program.version}\n`);
  }
  const installed = await installProgram(program, version);
  const verdicts: Verdict[] = [];
  if (values.install) return verdicts;
  for (const from of program.apis) {
    for (const to of targets) {
      const start = performance.now();
      const verdict = await judge({ program, from, to }, installed);
      verdicts.push(verdict);
      report(verdict, Math.round((performance.now() - start) / 1000));
    }
  }
  return verdicts;
}

function report(verdict: Verdict, seconds: number): void {
  const { program, version, from, to, turns, problems, losses, hosts, output } = verdict;
  const result = problems.length === 0 ? "ok" : "FAILED";
  const lines = [
    `${program.title} ${version}  ${from} → ${to}  ${turns} turns  ${losses.length} losses  ${seconds} s  ${result}`,
    ...problems.map((problem) => `  ${problem}`),
    ...(hosts.length === 0 ? [] : [`  tried to reach ${hosts.join(", ")}`]),
    ...(values.verbose ? [...losses.map((loss) => `  ${JSON.stringify(loss)}`), output] : []),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

async function main(): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("the programs are installed for Linux on x64; run the judges there");
  }
  const names = chosen(
    values.only,
    programs.map(({ name }) => name),
  );
  if (values.write && (values.only !== undefined || values.to !== undefined || values.latest)) {
    throw new Error("--write needs the results of all programs at their pinned versions");
  }
  const targets = chosen(values.to, Object.keys(providers) as ServedApi[]);
  const verdicts: Verdict[] = [];
  for (const program of programs.filter(({ name }) => names.includes(name))) {
    verdicts.push(...(await judgeProgram(program, targets)));
  }
  if (values.write) writePage(verdicts);
  if (verdicts.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
}

// Ends the programs that are running.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

try {
  await main();
} catch (error) {
  process.stderr.write(`judges: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
