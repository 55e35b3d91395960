import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatLine } from "../../../src/framing/ndjson.js";
import type { Installed } from "../install.js";
import type { Program } from "../programs/program.js";
import { runProgram } from "../run-program.js";
import type { Case, Piece } from "./cases.js";
import { missingPieces } from "./missing-pieces.js";
import { CONTINUED, oneText, requestWith } from "./model.js";
import { type Agent, failureOf, withAgent } from "./run-agent.js";

const dragoman = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

const PROMPT = "What did we do so far, in one sentence?";

/** What `dragoman continue --json` prints. */
interface Continued {
  session: string;
  commands: string[][];
}

export interface Source {
  text: string;
  expected: readonly Piece[];
  absent?: readonly string[];
}

export function sourceOf(
  { messages, expected, absent = [], uncompacted }: Case,
  { sessions }: Program,
): Source {
  const text = messages.map(formatLine).join("");
  if (sessions.compacts || uncompacted === undefined) return { text, expected, absent };
  return { text, expected: uncompacted };
}

/** Continues a session in a program, which must send all of it to its model. Returns the problems. */
export async function continueSession(
  program: Program,
  installed: Installed,
  source: Source,
): Promise<string[]> {
  return withAgent(
    program,
    installed,
    () => oneText,
    async (agent) => {
      const path = join(agent.sandbox.home, "source.jsonl");
      writeFileSync(path, source.text);
      const { continued, problem } = await runContinue(program, agent, path);
      if (continued === undefined) return [problem];
      const { session, commands } = continued;
      // All but the last prepare the program; the last opens it for a user, and is run without one here.
      for (const [, ...words] of commands.slice(0, -1)) {
        const failure = failureOf(`${program.command} ${words[0]}`, await agent.run(words));
        if (failure !== undefined) return [failure];
      }
      const ended = await agent.run(program.sessions.resume(session, PROMPT, agent.args, agent.model.model));
      const failure = failureOf(program.command, ended);
      const refused = agent.model.refusals.map((text) => `the model refused: ${text}`);
      const request = await requestWith(agent.api, agent.model, PROMPT);
      const missing =
        request === undefined
          ? ["the prompt was not sent"]
          : missingPieces(request.messages, request.whole, source);
      const unanswered = ended.stdout.includes(CONTINUED) ? [] : ["the answer was not printed"];
      return [...(failure === undefined ? unanswered : [failure]), ...refused, ...missing];
    },
  );
}

async function runContinue(
  { name }: Program,
  { sandbox, env }: Agent,
  path: string,
): Promise<{ continued: Continued; problem?: never } | { continued?: never; problem: string }> {
  const words = ["continue", path, "--in", name, "--cwd", sandbox.project, "--json"];
  const ended = await runProgram({
    command: [process.execPath, dragoman, ...words],
    cwd: sandbox.project,
    env: { ...env, DRAGOMAN_HOME: sandbox.gateway },
    limit: 60_000,
  });
  const problem = failureOf("dragoman continue", ended);
  return problem === undefined ? { continued: JSON.parse(ended.stdout) } : { problem };
}
