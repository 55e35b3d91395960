import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../fakes/refusal.js";
import type { Script, Situation, Turn } from "../fakes/strict/script.js";
import type { Piece } from "./sessions/cases.js";
import { answerWith, callFor, type Wish } from "./tools.js";

/** What the program is asked to do, and the model that does it with the program's tools. */
export interface Task {
  prompt: string;
  script: Script;
  /** How many turns called tools. */
  turns(): number;
  /** What is wrong with the outcome; undefined if the task is done. */
  problem(output: string): string | undefined;
  /** What a session of the task contains, whatever tools the program has. */
  pieces: readonly Piece[];
}

const FIRST = "heron 4817";
const SECOND = "otter 2953";
const WRITTEN = `${FIRST}, ${SECOND}`;
const LAST = "The note is written.";
const TITLE = "A note of two lines";

/**
 * Two files are read at once, what they hold is written to a third, which is read back. The model knows the contents only
 * from the results of its calls.
 */
export function createTask(project: string): Task {
  const path = (name: string) => join(project, name);
  writeFileSync(path("first.txt"), `${FIRST}\n`);
  writeFileSync(path("second.txt"), `${SECOND}\n`);
  const turns = new Set<number>();
  /** Keeps ids unique when later questions are answered without calls. */
  let finals = 0;

  const steps: { thinking: string; wishes(situation: Situation): Wish[] }[] = [
    {
      thinking: "Both files are needed — read them at once.",
      wishes: () => [
        { type: "read", path: path("first.txt") },
        { type: "read", path: path("second.txt") },
      ],
    },
    {
      thinking: "Write both lines into one note.",
      wishes: ({ results }) => [
        {
          type: "write",
          path: path("note.txt"),
          content: `${lineIn(results, FIRST)}, ${lineIn(results, SECOND)}`,
        },
      ],
    },
    {
      thinking: "Look at the note again.",
      wishes: () => [{ type: "run", command: `cat '${path("note.txt")}'` }],
    },
  ];

  function script(situation: Situation): Turn {
    const { calls: number, tools, output } = situation;
    // A side job of the program, such as a title. Codex offers tools for it that it asks not to use.
    if (tools.length === 0 || output !== undefined) {
      const text = output === undefined ? TITLE : answerWith(TITLE, output);
      return { number, thinking: "A title.", calls: [], text };
    }
    let before = 0;
    for (const [index, { thinking, wishes }] of steps.entries()) {
      if (before === number) {
        const calls = wishes(situation).map((wish) => callFor(wish, tools));
        turns.add(index);
        return { number, thinking, calls, text: "", ...(index === 1 ? { extra: "redacted thinking" } : {}) };
      }
      before += index === 0 ? 2 : 1;
    }
    lineIn(situation.results.slice(-1), WRITTEN);
    return { number: number + finals++, thinking: "Done.", calls: [], text: LAST };
  }

  const prompt = "Read first.txt and second.txt, and write their lines into note.txt.";
  return {
    prompt,
    script,
    pieces: [
      { type: "user", text: prompt },
      { type: "result", text: FIRST },
      { type: "result", text: SECOND },
      { type: "result", text: WRITTEN },
      { type: "answer", text: LAST },
    ],
    turns: () => turns.size,
    problem(output) {
      const note = readNote(path("note.txt"));
      if (note !== WRITTEN) return `note.txt has ${JSON.stringify(note)}`;
      return output.includes(LAST) ? undefined : "the answer was not printed";
    },
  };
}

/** The line, if a result has it: the model learns it from there only. */
function lineIn(results: readonly string[], line: string): string {
  if (results.some((result) => result.includes(line))) return line;
  throw new Refusal(`no tool result has ${JSON.stringify(line)}: ${JSON.stringify(results).slice(0, 300)}`);
}

function readNote(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trimEnd();
  } catch {
    // The program did not write it.
    return undefined;
  }
}
