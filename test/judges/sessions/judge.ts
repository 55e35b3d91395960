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
  isEarlier: boolean;
}

export interface Judged {
  program: Program;
  installed: Installed;
  /** Whether there is a newer version among the judges. */
  isEarlier: boolean;
}

/**
 * Each program makes a session, which we read; then each program continues our cases and the sessions of all programs, and of
 * its own version.
 */
export async function* judgeSessions(judged: readonly Judged[]): AsyncGenerator<SessionVerdict> {
  const made: (MadeSession & Judged)[] = [];
  for (const one of judged) {
    const { program, installed, isEarlier } = one;
    const session = await makeSession(program, installed);
    made.push({ ...session, ...one });
    const problems = [...session.problems, ...(await readingProblems(program, session.text))];
    const { version } = installed;
    yield { program, version, direction: "reads", of: "programs", case: program.title, problems, isEarlier };
  }
  for (const { program, installed, isEarlier } of judged) {
    const verdict = { program, version: installed.version, direction: "writes", isEarlier } as const;
    for (const one of cases) {
      const problems = await continueSession(program, installed, sourceOf(one, program));
      yield { ...verdict, of: "ours", case: one.name, problems };
    }
    for (const session of made.filter((one) => !one.isEarlier || one.program === program)) {
      const problems = await continueSession(program, installed, session);
      const name = session.isEarlier
        ? `${session.program.title} ${session.installed.version}`
        : session.program.title;
      yield { ...verdict, of: "programs", case: name, problems };
    }
  }
}
