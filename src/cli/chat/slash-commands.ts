import { wrap } from "../../markdown/word-wrap.js";
import type { Conversation } from "../../runtime/conversation.js";
import { plain } from "../sessions/plain.js";
import { suggest } from "../suggest.js";
import { counted, table } from "../terminal/table.js";
import type { Talk } from "./talk.js";
import type { Look } from "./tool-lines.js";

/** What the commands can do to the chat they are typed in. */
export interface SlashContext {
  talk: Talk;
  look: Look;
  tell(...lines: string[]): void;
  /** Whether the status line shows an answer or other work in progress. */
  isWorking(): boolean;
  /** Goes on in another conversation, or in a fresh one. */
  switchTo(conversation: Conversation | undefined): void;
  /** Returns whether thoughts are shown from here on. */
  toggleThinking(): boolean;
  /** Does something that Ctrl-C stops. */
  interruptible<T>(activity: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  leave(): void;
  /** The command line that goes on with a session. */
  resume(id: string): string;
}

interface SlashCommand {
  name: string;
  usage: string;
  summary: string;
  /** Not while an answer is under way. */
  whenIdle?: boolean;
  run(given: string, context: SlashContext): Promise<void> | void;
}

const NARROW = 72;
const hints = [
  "A backslash at the end of a line begins another one.",
  "What you send while the agent works reaches it at its next step.",
  "Ctrl-C stops an answer, Ctrl-D leaves.",
];
const NOTHING_YET = "nothing was said yet";

const commands: readonly SlashCommand[] = [
  {
    name: "help",
    usage: "/help",
    summary: "what can be typed here",
    run(_, { tell, look: { paint, columns } }) {
      const rows = commands.map(({ usage, summary }) => [usage, paint("dim", summary)]);
      tell(
        ...(columns < NARROW
          ? rows.flatMap(([usage = "", summary]) => [usage, `  ${summary}`])
          : table(rows)),
        "",
      );
      for (const hint of hints) tell(...wrap(hint, columns).map((line) => paint("dim", line)));
    },
  },
  {
    name: "model",
    usage: "/model [P/M]",
    summary: "tell or change the model",
    async run(given, { talk, tell }) {
      if (given !== "") await talk.choose(given);
      tell(
        `${given === "" ? "answers come" : "the next answer comes"} from ${plain(await talk.modelName())}`,
      );
    },
  },
  {
    name: "session",
    usage: "/session",
    summary: "which session this is",
    async run(_, { talk, tell, resume }) {
      const { current } = talk;
      if (current === undefined) return tell(`${NOTHING_YET}; agent ${talk.agent}`);
      const { id, header } = current.session;
      const said = (await current.messages()).filter(({ role }) => role === "user" || role === "assistant");
      tell(
        ...table([
          ["session", id],
          ...(header.key === undefined ? [] : [["key", plain(header.key)]]),
          ["agent", talk.agent],
          ["model", plain(await talk.modelName())],
          ["length", counted(said.length, "message")],
          ["go on with", resume(id)],
        ]),
      );
    },
  },
  {
    name: "new",
    usage: "/new",
    summary: "begin another session",
    whenIdle: true,
    run(_, { switchTo, tell }) {
      switchTo(undefined);
      tell("a fresh session begins with your next message");
    },
  },
  {
    name: "fork",
    usage: "/fork",
    summary: "go on in a copy of this session",
    whenIdle: true,
    async run(_, { talk, switchTo, tell }) {
      const { current, runtime } = talk;
      if (current === undefined) return tell(NOTHING_YET);
      const { fork } = await import("../../runtime/copy.js");
      const copy = await fork(runtime.log, current.session);
      switchTo(await runtime.open(copy.id));
      await copy.close();
      tell(`this is session ${copy.id}, a copy of ${current.session.id}`);
    },
  },
  {
    name: "compact",
    usage: "/compact",
    summary: "have older messages summarised",
    whenIdle: true,
    async run(_, { talk, tell, interruptible }) {
      const { current } = talk;
      if (current === undefined) return tell(NOTHING_YET);
      const done = await interruptible("summarising", (signal) => current.compact(signal));
      tell(done ? "summarised; /undo takes that back" : "there is too little to summarise");
    },
  },
  {
    name: "undo",
    usage: "/undo",
    summary: "take the last summary back",
    whenIdle: true,
    async run(_, { talk, tell }) {
      const undone = await talk.current?.undoCompaction();
      tell(undone === true ? "the model sees all of it again" : "nothing was summarised");
    },
  },
  {
    name: "export",
    usage: "/export FILE [--to D]",
    summary: "write the session to a file",
    whenIdle: true,
    async run(given, { talk, tell, look }) {
      const option = /\s--to[ =](\S+)$/.exec(given);
      const file = given.slice(0, option?.index).trimEnd();
      const dialect = option?.[1] ?? "openclaw";
      if (file === "") return tell("which file? /export FILE [--to DIALECT]");
      if (talk.current === undefined) return tell(NOTHING_YET);
      const { exportTo } = await import("./export.js");
      tell(...(await exportTo(file, dialect, await talk.current.messages(), look)));
    },
  },
  {
    name: "usage",
    usage: "/usage",
    summary: "tokens and cost so far",
    async run(_, { talk, tell }) {
      const { usageLines } = await import("./usage-lines.js");
      tell(...usageLines((await talk.current?.messages()) ?? []));
    },
  },
  {
    name: "thinking",
    usage: "/thinking",
    summary: "show what the model thinks, or fold it",
    run: (_, { tell, toggleThinking }) =>
      tell(toggleThinking() ? "thoughts are shown in full" : "thoughts are folded"),
  },
  { name: "quit", usage: "/quit", summary: "leave; the session is kept", run: (_, { leave }) => leave() },
];

/** `/usage`, `/export a file --to pi`; a path is none. */
const pattern = /^\/([A-Za-z]+)(?:\s+(.*))?$/s;

export function isSlashCommand(text: string): boolean {
  return pattern.test(text.trim());
}

/** Does what a line that begins with a slash says. */
export async function runSlashCommand(text: string, context: SlashContext): Promise<void> {
  const [, typed = "", given = ""] = pattern.exec(text.trim()) ?? [];
  const name = typed.toLowerCase();
  const command = commands.find((known) => known.name === name);
  if (command === undefined) {
    const meant = suggest(
      name,
      commands.map((known) => known.name),
    );
    const hint = meant === undefined ? "/help lists them" : `did you mean /${meant}?`;
    return warn(`there is no command /${typed}; ${hint}`, context);
  }
  if (command.whenIdle === true) {
    if (context.isWorking()) return warn(`/${name} has to wait for the answer; Ctrl-C stops it`, context);
    // The last records of a run may still be on their way to disk when its status line is gone.
    await context.talk.current?.idle();
  }
  await command.run(given.trim(), context);
}

function warn(text: string, { tell, look: { paint, columns } }: SlashContext): void {
  tell(...wrap(text, columns).map((line) => paint("yellow", line)));
}
