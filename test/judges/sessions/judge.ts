import type { Installed } from "../install.js";
import type { Program } from "../programs/program.js";
import { cases } from "./cases.js";
import { continueSession, type Source, sourceOf } from "./continue-session.js";
import { type MadeSession, makeSession, readingProblems } from "./make-session.js";

/** Whether we write a session that the program reads, or the other way around. */
export type Direction = "writes" | "reads";

export interface SessionVerdict {
  program: Program;
  version: string;
  direction: Direction;
  case: string;
  /** What went wrong; empty if nothing did. */
  problems: string[];
}

export interface Judged {
  program: Program;
  installed: Installed;
}

/** The case of a session that a program wrote. */
export const caseOf = ({ title }: Program) => `a session of ${title}`;

/** Each program makes a session, which we read; then each program continues our cases and the sessions of all others. */
export async function* judgeSessions(
  judged: readonly Judged[],
  targets: readonly Judged[] = judged,
): AsyncGenerator<SessionVerdict> {
  const made: (MadeSession & { program: Program })[] = [];
  for (const { program, installed } of judged) {
    const session = await makeSession(program, installed);
    made.push({ ...session, program });
    const problems = [...session.problems, ...(await readingProblems(program, session.text))];
    yield { program, version: installed.version, direction: "reads", case: caseOf(program), problems };
  }
  for (const { program, installed } of targets) {
    const sources: (readonly [string, Source])[] = [
      ...cases.map((one) => [one.name, sourceOf(one, program)] as const),
      ...made.map((session) => [caseOf(session.program), session] as const),
    ];
    for (const [name, source] of sources) {
      const problems = await continueSession(program, installed, source);
      yield { program, version: installed.version, direction: "writes", case: name, problems };
    }
  }
}
