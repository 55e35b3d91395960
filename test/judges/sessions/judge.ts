import type { Installed } from "../install.js";
import type { Program } from "../programs/program.js";
import { cases } from "./cases.js";
import { continueSession, sourceOf } from "./continue-session.js";
import { type MadeSession, makeSession, readingProblems } from "./make-session.js";

/** Whether we write a session that the program reads, or the other way around. */
export type Direction = "writes" | "reads";

export interface SessionVerdict {
  program: Program;
  version: string;
  direction: Direction;
  /** Whether the session is a case of ours, or a program wrote it. */
  of: "ours" | "programs";
  /** The case's name, or the program's title. */
  case: string;
  /** What went wrong; empty if nothing did. */
  problems: string[];
}

export interface Judged {
  program: Program;
  installed: Installed;
}

/** Each program makes a session, which we read; then each program continues our cases and the sessions of all programs. */
export async function* judgeSessions(judged: readonly Judged[]): AsyncGenerator<SessionVerdict> {
  const made: (MadeSession & { program: Program })[] = [];
  for (const { program, installed } of judged) {
    const session = await makeSession(program, installed);
    made.push({ ...session, program });
    const problems = [...session.problems, ...(await readingProblems(program, session.text))];
    const { version } = installed;
    yield { program, version, direction: "reads", of: "programs", case: program.title, problems };
  }
  for (const { program, installed } of judged) {
    const { version } = installed;
    for (const one of cases) {
      const problems = await continueSession(program, installed, sourceOf(one, program));
      yield { program, version, direction: "writes", of: "ours", case: one.name, problems };
    }
    for (const session of made) {
      const problems = await continueSession(program, installed, session);
      yield { program, version, direction: "writes", of: "programs", case: session.program.title, problems };
    }
  }
}
