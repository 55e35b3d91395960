import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { convert } from "../../../src/convert/convert.js";
import { detect, load } from "../../../src/convert/detect.js";
import type { Framing } from "../../../src/core/dialect.js";
import type { Installed } from "../install.js";
import type { Program } from "../programs/program.js";
import { createTask, type Task } from "../task.js";
import type { Piece } from "./cases.js";
import { type Agent, failureOf, withAgent } from "./run-agent.js";

/** A session that a program has written. */
export interface MadeSession {
  text: string;
  /** What every program that continues it must send. */
  expected: readonly Piece[];
  problems: string[];
}

/** Has a program do the task, and returns the session that it wrote. */
export async function makeSession(program: Program, installed: Installed): Promise<MadeSession> {
  let task: Task | undefined;
  const script = ({ project }: { project: string }) => {
    task = createTask(project);
    return task.script;
  };
  return withAgent(program, installed, script, async (agent) => {
    if (task === undefined) throw new Error("the task was not created");
    const ended = await agent.run(program.run(task.prompt, agent.args));
    const problems = [
      failureOf(program.command, ended),
      ...agent.model.refusals.map((text) => `the model refused: ${text}`),
      task.problem(ended.stdout),
    ].filter((problem) => problem !== undefined);
    const text = await storedSession(program, agent);
    return { text, expected: task.pieces, problems };
  });
}

/** The only session in the program's folder. */
async function storedSession(program: Program, { sandbox, run }: Agent): Promise<string> {
  const { exported, files } = program.sessions;
  if (exported !== undefined) {
    const listed = await run(exported.list);
    const id = exported.idIn(listed.stdout);
    const { stdout } = await run(exported.print(id));
    return stdout;
  }
  const names = readdirSync(sandbox.home, { recursive: true, encoding: "utf8" }).filter((name) =>
    files.test(name),
  );
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new Error(`${names.length} session files: ${names.join(", ")}`);
  return readFileSync(join(sandbox.home, name), "utf8");
}

/** What is wrong with how we read a session that a program wrote. */
export async function readingProblems({ name }: Program, text: string): Promise<string[]> {
  const [detected] = await detect(text);
  if (detected?.dialect !== name) return [`detected as ${detected?.dialect ?? "nothing"}`];
  const { output, losses } = await convert(text, { to: detected.dialect });
  const problems = losses.map(({ at, what, why }) => `lost: ${at} ${what}: ${why}`);
  const { framing } = await load(detected.dialect);
  const isSame = isDeepStrictEqual(recordsOf(output, framing), recordsOf(text, framing));
  return isSame ? problems : [...problems, "A→A differs"];
}

/** The lines, or what they amount to if they change each other, or the one document. */
function recordsOf(text: string, framing: Framing): unknown[] {
  const values = valuesIn(text);
  if (framing.kind !== "frames") return values;
  return framing.fold(values.map((value, index) => ({ value, index }))).records.map(({ value }) => value);
}

function valuesIn(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line !== "");
  try {
    return lines.map((line): unknown => JSON.parse(line));
  } catch {
    // Lines of a document are not JSON by themselves.
    return [JSON.parse(text)];
  }
}
