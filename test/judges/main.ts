import { parseArgs } from "node:util";
import type { ServedApi } from "../fakes/strict/provider.js";
import { acpx, judgeAcp } from "./acp.js";
import { acpAgents } from "./acp-agents.js";
import {
  changesIn,
  mcpTables,
  type PageTable,
  routeTables,
  sessionTables,
  writePage,
} from "./compatibility-page.js";
import { judgeFrontEnds } from "./front-ends.js";
import { type Installed, installProgram, newestVersion, type Package } from "./install.js";
import { judge, providers, type Verdict } from "./judge.js";
import { judgeAcpAgent } from "./judge-acp-agent.js";
import { judgeMcp, type McpVerdict } from "./mcp/judge.js";
import { codex } from "./programs/codex.js";
import { earlierVersions, type Program } from "./programs/program.js";
import { programs } from "./programs/registry.js";
import { type Judged, judgeSessions, type SessionVerdict } from "./sessions/judge.js";

/**
 * What is judged: programs on any model through the gateway, their sessions, our side of MCP, both sides of ACP, and the
 * clients of front ends.
 */
const subjects = ["gateway", "sessions", "mcp", "acp", "front-ends"] as const;

/**
 * Runs released coding agents: `npm run judges -- [--what gateway|sessions|mcp|acp|front-ends] [--only NAME,…] [--to API,…] [--latest]
 * [--write] [--install]`.
 */
const { values } = parseArgs({
  options: {
    what: { type: "string" },
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

async function install(program: Program): Promise<Installed> {
  const version = values.latest ? await newestVersion(program) : program.version;
  if (version === program.version) return installProgram(program, version);
  process.stdout.write(`${program.title}: ${version} is newer than the pinned ${program.version}\n`);
  try {
    return await installProgram(program, version);
  } catch (error) {
    // A release can name packages that the registry does not have. The other programs are judged all the same.
    const [why] = (error instanceof Error ? error.message : String(error)).split("\n").slice(-2);
    process.stdout.write(
      `${program.title}: ${version} cannot be installed, ${program.version} is run: ${why}\n`,
    );
    return installProgram(program, program.version);
  }
}

async function judgeRoutes(judged: readonly Judged[], targets: readonly ServedApi[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const { program, installed } of judged) {
    for (const from of program.apis) {
      for (const to of targets) {
        const start = performance.now();
        const verdict = await judge({ program, from, to }, installed);
        verdicts.push(verdict);
        report(verdict, Math.round((performance.now() - start) / 1000));
      }
    }
  }
  return verdicts;
}

async function judgeAllSessions(judged: readonly Judged[]): Promise<SessionVerdict[]> {
  const verdicts: SessionVerdict[] = [];
  for await (const verdict of judgeSessions(judged)) {
    verdicts.push(verdict);
    const { program, version, direction, of, case: name, problems } = verdict;
    const result = problems.length === 0 ? "ok" : "FAILED";
    const subject = of === "ours" ? name : `a session of ${name}`;
    const lines = [
      `${program.title} ${version}  ${direction} ${subject}  ${result}`,
      ...problems.map((one) => `  ${one}`),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  return verdicts;
}

async function judgeAllMcp(): Promise<McpVerdict[]> {
  const verdicts: McpVerdict[] = [];
  for await (const verdict of judgeMcp()) {
    verdicts.push(verdict);
    const { side, revision, passed, failed, problems } = verdict;
    const result = problems.length === 0 ? "ok" : "FAILED";
    const lines = [
      `MCP ${side} ${revision}  ${passed.length} scenarios passed, ${failed.length} failed  ${result}`,
      ...problems.map((one) => `  ${one}`),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  return verdicts;
}

const versionOf = (one: Package & { version: string }) => (values.latest ? newestVersion(one) : one.version);

async function installAcp(): Promise<void> {
  for (const one of [acpx, ...acpAgents, codex]) await installProgram(one, await versionOf(one));
}

/** `dragoman acp` driven by a client, and programs that speak ACP as our agents. */
async function judgeAllAcp(names: readonly string[]): Promise<string[][]> {
  const print = (line: string, problems: readonly string[]) => {
    const result = problems.length === 0 ? "ok" : "FAILED";
    process.stdout.write([`${line}  ${result}`, ...problems.map((one) => `  ${one}`), ""].join("\n"));
  };
  const all: string[][] = [];
  if (names.includes(acpx.name)) {
    const version = await versionOf(acpx);
    const problems = await judgeAcp(version);
    print(`${acpx.title} ${version}  drives dragoman acp`, problems);
    all.push(problems);
  }
  for (const agent of acpAgents.filter(({ name }) => names.includes(name))) {
    const verdict = await judgeAcpAgent(agent, await versionOf(agent));
    const { title, version, calls, asked, resumed, problems } = verdict;
    const after = resumed ? "resumed" : "continued in a new session";
    print(`${title} ${version}  as an agent: ${calls} calls, ${asked} questions, ${after}`, problems);
    all.push(problems);
  }
  return all;
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
  const known = new Set([...programs, acpx, ...acpAgents].map(({ name }) => name));
  const names = chosen(values.only, [...known]);
  if (values.write && (values.only !== undefined || values.to !== undefined || values.latest)) {
    throw new Error("--write needs the results of all programs at their pinned versions");
  }
  const targets = chosen(values.to, Object.keys(providers) as ServedApi[]);
  const wanted = chosen(values.what, subjects);
  const runsPrograms = wanted.includes("gateway") || wanted.includes("sessions");
  const judged: Judged[] = [];
  for (const program of programs.filter(({ name }) => runsPrograms && names.includes(name))) {
    judged.push({ program, installed: await install(program), isEarlier: false });
  }
  const earlier: Judged[] = [];
  for (const { program } of wanted.includes("sessions") && !values.latest ? judged : []) {
    for (const one of earlierVersions(program)) {
      earlier.push({ program: one, installed: await installProgram(one, one.version), isEarlier: true });
    }
  }
  if (values.install) {
    if (wanted.includes("acp")) await installAcp();
    return;
  }
  const tables: PageTable[] = [];
  const problems: string[][] = [];
  if (wanted.includes("gateway")) {
    const verdicts = await judgeRoutes(judged, targets);
    tables.push(...routeTables(verdicts));
    problems.push(...verdicts.map((verdict) => verdict.problems));
  }
  if (wanted.includes("sessions")) {
    const verdicts = await judgeAllSessions([...judged, ...earlier]);
    tables.push(...sessionTables(verdicts));
    problems.push(...verdicts.map((verdict) => verdict.problems));
  }
  if (wanted.includes("mcp")) {
    const verdicts = await judgeAllMcp();
    tables.push(...mcpTables(verdicts));
    problems.push(...verdicts.map((verdict) => verdict.problems));
  }
  if (wanted.includes("acp")) {
    problems.push(...(await judgeAllAcp(names)));
  }
  if (wanted.includes("front-ends")) {
    const verdict = await judgeFrontEnds();
    const result = verdict.problems.length === 0 ? "ok" : "FAILED";
    const line = `front-end clients on Node.js ${verdict.version}  ${verdict.passed} tests passed  ${result}`;
    process.stdout.write([line, ...verdict.problems.map((one) => `  ${one}`), ""].join("\n"));
    problems.push(verdict.problems);
  }
  if (values.write) writePage(tables);
  if (values.latest) reportChanges(tables);
  if (problems.some((one) => one.length > 0)) process.exitCode = 1;
}

/** How the newest versions differ from the pinned ones. */
function reportChanges(tables: readonly PageTable[]): void {
  const changes = tables.flatMap((table) => changesIn(table));
  const lines = changes.length === 0 ? ["no changes against docs/compatibility.md"] : changes;
  process.stdout.write(`${lines.join("\n")}\n`);
}

// Ends the programs that are running.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

try {
  await main();
} catch (error) {
  process.stderr.write(`judges: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
