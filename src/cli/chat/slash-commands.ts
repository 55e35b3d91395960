import { wrap } from "../../markdown/word-wrap.js";
import type { Conversation } from "../../runtime/conversation.js";
import { plain, plainLine } from "../sessions/plain.js";
import { moment } from "../sessions/when.js";
import { suggest } from "../suggest.js";
import { counted, table } from "../terminal/table.js";
import { conversationNamed, type Talk } from "./talk.js";
import type { Style } from "./tool-lines.js";

/** The chat, as far as slash commands can use it. */
export interface SlashContext {
  talk: Talk;
  style: Style;
  print(...lines: string[]): void;
  /** Whether the status line shows an answer or other work in progress. */
  isWorking(): boolean;
  /** Continues in another conversation, or in a new one. */
  switchTo(conversation: Conversation | undefined): void;
  /** Shows the last messages of a conversation and continues in it. */
  continueIn(conversation: Conversation): Promise<void>;
  /** Lets the user choose a session; undefined if they choose none. */
  pickSession(): Promise<string | undefined>;
  /** Returns whether thinking is shown now. */
  toggleThinking(): boolean;
  /** Runs `work`, which Ctrl-C aborts. */
  interruptible<T>(activity: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  exit(): void;
  /** The command that continues a session. */
  resume(id: string): string;
}

interface SlashCommand {
  name: string;
  usage: string;
  summary: string;
  /** Not available while an answer is running. */
  whenIdle?: boolean;
  run(given: string, context: SlashContext): Promise<void> | void;
}

const hints = [
  "End a line with a backslash to continue on the next line.",
  "Tab completes commands, models, sessions and @files; @image.png sends an image. Ctrl-R searches what you typed before.",
  "Messages sent while the agent is working reach it at its next step.",
  "Ctrl-C stops the answer, Ctrl-D exits.",
];
const NOTHING_YET = "no messages yet";

export const slashCommands: readonly SlashCommand[] = [
  {
    name: "help",
    usage: "/help",
    summary: "list the commands",
    run(_, { print, style: { paint, columns } }) {
      const rows = slashCommands.map(({ usage, summary }) => [usage, summary]);
      const isNarrow = table(rows).some((line) => line.length > columns);
      const lines = isNarrow
        ? slashCommands.flatMap(({ usage, summary }) => [
            usage,
            ...wrap(summary, columns - 2).map((line) => paint("dim", `  ${line}`)),
          ])
        : table(rows.map(([usage = "", summary = ""]) => [usage, paint("dim", summary)]));
      print(...lines, "");
      for (const hint of hints) print(...wrap(hint, columns).map((line) => paint("dim", line)));
    },
  },
  {
    name: "model",
    usage: "/model [P/M]",
    summary: "show or change the model",
    async run(given, { talk, print }) {
      if (given !== "") await talk.setModel(given);
      print(`${given === "" ? "model:" : "model set to"} ${plain(await talk.modelName())}`);
    },
  },
  {
    name: "session",
    usage: "/session",
    summary: "show details of this session",
    async run(_, { talk, print, resume }) {
      const { current } = talk;
      if (current === undefined) return print(`${NOTHING_YET}; agent ${talk.agent}`);
      const { id, header } = current.session;
      const all = await current.messages();
      const { length } = all.filter(({ role }) => role === "user" || role === "assistant");
      print(
        ...table([
          ["session", id],
          ...(header.key === undefined ? [] : [["key", plain(header.key)]]),
          ["agent", talk.agent],
          ["model", plain(await talk.modelName())],
          ["workspace", plain(await talk.workspace())],
          ["length", counted(length, "message")],
          ["continue with", resume(id)],
        ]),
      );
    },
  },
  {
    name: "questions",
    usage: "/questions",
    summary: "list pending permission requests of all sessions",
    async run(_, { talk: { runtime }, print, resume }) {
      const { waitingQuestions } = await import("../../runtime/waiting-questions.js");
      const waiting = await waitingQuestions(runtime);
      if (waiting.length === 0) return print("no permission request is waiting");
      for (const { conversation, request } of waiting) {
        const { toolCall, subject, question, expires } = request;
        const what =
          question === undefined ? (subject ?? "") : `${question.server} asks: ${question.message}`;
        print(
          `${plainLine(toolCall.name)}: ${plainLine(what)}`,
          `  expires ${moment(expires)}; answer with: ${resume(conversation.session.id)}`,
        );
      }
    },
  },
  {
    name: "new",
    usage: "/new",
    summary: "start a new session",
    whenIdle: true,
    run(_, { switchTo, print }) {
      switchTo(undefined);
      print("your next message starts a new session");
    },
  },
  {
    name: "resume",
    usage: "/resume [ID]",
    summary: "continue another session",
    whenIdle: true,
    async run(given, { talk, pickSession, continueIn, print }) {
      const chosen = given === "" ? await pickSession() : given;
      if (chosen === undefined) return print("no session was chosen");
      await continueIn(await conversationNamed(talk.runtime, chosen));
    },
  },
  {
    name: "fork",
    usage: "/fork",
    summary: "continue in a copy of this session",
    whenIdle: true,
    async run(_, { talk, switchTo, print }) {
      const { current, runtime } = talk;
      if (current === undefined) return print(NOTHING_YET);
      const { fork } = await import("../../runtime/copy.js");
      const copy = await fork(runtime.log, current.session);
      switchTo(await runtime.open(copy.id));
      await copy.close();
      print(`this is session ${copy.id}, a copy of ${current.session.id}`);
    },
  },
  {
    name: "compact",
    usage: "/compact",
    summary: "summarise older messages for the model",
    whenIdle: true,
    async run(_, { talk, print, interruptible }) {
      const { current } = talk;
      if (current === undefined) return print(NOTHING_YET);
      const done = await interruptible("summarising", (signal) => current.compact(signal));
      print(done ? "earlier messages were summarised; /undo reverts this" : "not enough to summarise");
    },
  },
  {
    name: "undo",
    usage: "/undo",
    summary: "undo the last /compact",
    whenIdle: true,
    async run(_, { talk, print }) {
      const undone = await talk.current?.undoCompaction();
      print(undone === true ? "the model is shown the full history again" : "no summary to undo");
    },
  },
  {
    name: "export",
    usage: "/export FILE [--to D]",
    summary: "write the session to a file",
    whenIdle: true,
    async run(given, { talk, print, style }) {
      const option = /\s--to[ =](\S+)$/.exec(given);
      const file = given.slice(0, option?.index).trimEnd();
      const dialect = option?.[1] ?? "openclaw";
      if (file === "") return print("missing file name: /export FILE [--to DIALECT]");
      if (talk.current === undefined) return print(NOTHING_YET);
      const { exportTo } = await import("./export.js");
      print(...(await exportTo(file, dialect, await talk.current.messages(), style)));
    },
  },
  {
    name: "usage",
    usage: "/usage",
    summary: "show tokens and cost so far",
    async run(_, { talk, print }) {
      const { usageLines } = await import("./usage-lines.js");
      print(...usageLines((await talk.current?.messages()) ?? []));
    },
  },
  {
    name: "thinking",
    usage: "/thinking",
    summary: "show or hide the model's thinking",
    run: (_, { print, toggleThinking }) =>
      print(toggleThinking() ? "thinking is shown" : "thinking is hidden"),
  },
  {
    name: "quit",
    usage: "/quit",
    summary: "exit; the session is kept",
    run: (_, { exit }) => exit(),
  },
];

/** `/usage`, `/export a file --to pi`; not a path. */
const pattern = /^\/([A-Za-z]+)(?:\s+(.*))?$/s;

export function isSlashCommand(text: string): boolean {
  return pattern.test(text.trim());
}

export async function runSlashCommand(text: string, context: SlashContext): Promise<void> {
  const [, typed = "", given = ""] = pattern.exec(text.trim()) ?? [];
  const name = typed.toLowerCase();
  const command = slashCommands.find((known) => known.name === name);
  if (command === undefined) {
    const meant = suggest(
      name,
      slashCommands.map((known) => known.name),
    );
    const hint = meant === undefined ? "/help lists the commands" : `did you mean /${meant}?`;
    return warn(`unknown command /${typed}; ${hint}`, context);
  }
  if (command.whenIdle === true) {
    if (context.isWorking()) {
      return warn(`/${name} is not available while an answer is running; press Ctrl-C to stop it`, context);
    }
    // The last records of a run may still be on their way to disk when its status line is gone.
    await context.talk.current?.idle();
  }
  await command.run(given.trim(), context);
}

function warn(text: string, { print, style: { paint, columns } }: SlashContext): void {
  print(...wrap(text, columns).map((line) => paint("yellow", line)));
}
