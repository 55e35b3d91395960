import { join } from "node:path";
import { wordsOf } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { failureIn } from "../../core/message/failure.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AgentMessage } from "../../core/types.js";
import { wrap } from "../../markdown/word-wrap.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { plain, plainLine } from "../sessions/plain.js";
import { type Paint, painter, wantsColour } from "../terminal/colour.js";
import { describeError } from "../terminal/errors.js";
import { reportLine } from "../terminal/report-line.js";
import { AnswerView } from "./answer-view.js";
import { Form } from "./form.js";
import { inputRows } from "./input-rows.js";
import { LineEditor, pasteMarks } from "./line-editor.js";
import { lossNotice } from "./loss-notice.js";
import { answerOf, CHOICES, questionLines } from "./question.js";
import { Screen } from "./screen.js";
import { isSlashCommand, runSlashCommand, type SlashContext } from "./slash-commands.js";
import { activityAfter, statusLine, WAITING } from "./status.js";
import { messagesFrom, type Talk } from "./talk.js";
import { appendHistory, readHistory } from "./typed-history.js";

export interface InteractiveOptions {
  thinking: boolean;
  greeting?: string;
  noColour: boolean | undefined;
  /** The command that continues a session. */
  resume(id: string): string;
  /** Redirects the runtime's notes. */
  redirectNotes(listener: (text: string) => void): void;
}

const FRAME_MS = 100;
/** Shown when a session is resumed. */
const PAST_MESSAGES = 12;

/** Runs an interactive chat until the user exits. */
export async function converse(talk: Talk, prompt: string, options: InteractiveOptions): Promise<number> {
  const historyPath = join(talk.runtime.home, "chat-history");
  const chat = new Interactive(talk, options, await readHistory(historyPath), historyPath);
  const code = await chat.talk(prompt);
  const session = talk.current?.session.id;
  if (session !== undefined) reportLine(`continue with: ${options.resume(session)}`);
  return code;
}

/** An operation in progress. */
interface Work {
  activity: string;
  since: number;
  stop: (() => void) | undefined;
}

class Interactive {
  readonly #talk: Talk;
  readonly #options: InteractiveOptions;
  readonly #paint: Paint;
  readonly #screen = new Screen(process.stdout);
  readonly #view: AnswerView;
  readonly #editor: LineEditor;
  readonly #historyPath: string;
  readonly #queued = new Set<string>();
  /** Sent from here, not shown yet. */
  readonly #unshown = new Set<string>();
  #write = (text: string) => this.#screen.write(text);
  #questions: PermissionRequest[] = [];
  /** The form of the current question, if an MCP server asks it. */
  #form: Form | undefined;
  #thinking: boolean;
  #work: Work | undefined;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  /** The failure that was shown in this run. */
  #failure: string | undefined;
  #warned = false;
  #exit: (code: number) => void = () => undefined;
  readonly #exited = new Promise<number>((resolve) => {
    this.#exit = resolve;
  });

  constructor(run: Talk, options: InteractiveOptions, history: string[], historyPath: string) {
    this.#talk = run;
    this.#options = options;
    this.#historyPath = historyPath;
    this.#thinking = options.thinking;
    const coloured = wantsColour(process.stdout, process.env, options.noColour);
    this.#paint = painter(coloured);
    this.#view = new AnswerView({
      write: (text) => this.#write(text),
      paint: this.#paint,
      coloured,
      columns: () => this.#screen.columns,
      thinking: () => this.#thinking,
    });
    this.#editor = new LineEditor({
      input: process.stdin,
      history,
      onChange: () => this.#redraw(),
      onEnter: (text) => this.#submit(text),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.#exit(0),
    });
  }

  async talk(prompt: string): Promise<number> {
    process.stdout.write(pasteMarks.on);
    process.stdout.on("resize", () => this.#redraw());
    process.on("SIGINT", () => this.#interrupt());
    process.once("SIGTERM", () => this.#exit(143));
    process.once("SIGHUP", () => this.#exit(129));
    this.#options.redirectNotes((text) => this.#showNote(text));
    try {
      const model = await this.#talk.modelName();
      this.#showNote(`${this.#talk.agent} on ${model} · type /help for commands, Ctrl-D to exit`);
      this.#showNote(`workspace: ${await this.#talk.workspace()}`);
      if (this.#options.greeting !== undefined) this.#showNote(this.#options.greeting);
      const { current } = this.#talk;
      if (current !== undefined) await this.#resume(current);
      this.#redraw();
      if (prompt !== "") void this.#send(prompt);
      return await this.#exited;
    } finally {
      this.#options.redirectNotes(reportLine);
      this.#unwatch?.();
      clearInterval(this.#timer);
      this.#screen.end();
      this.#editor.close();
      process.stdout.write(pasteMarks.off);
    }
  }

  /** Shows the last messages and resumes an unanswered one. */
  async #resume(conversation: Conversation): Promise<void> {
    let past = "";
    const write = this.#write;
    this.#write = (text) => {
      past += text;
    };
    for (const { message } of await conversation.session.last(PAST_MESSAGES)) this.#view.showPast(message);
    this.#write = write;
    const lines = past.split("\n");
    const shown = lines.slice(-Math.max(this.#screen.rows - 6, 4));
    if (shown.length < lines.length) write(this.#paint("dim", "\n…\n"));
    write(shown.join("\n"));
    this.#watch(conversation);
    // Those that another process asks do not come as events, and can be answered here all the same.
    for (const request of await conversation.permissions.pending())
      this.#observe({ type: "permission", request });
    conversation.resume().catch((error: unknown) => this.#reportError(error));
  }

  #watch(conversation: Conversation | undefined): void {
    this.#unwatch?.();
    this.#queued.clear();
    this.#unwatch = conversation?.watch((event) => this.#observe(event), { asks: true });
  }

  #observe(event: ConversationEvent): void {
    switch (event.type) {
      case "run_start":
        this.#failure = undefined;
        this.#startWork(WAITING);
        break;
      case "agent":
        this.#view.observe(event.event);
        if (this.#work !== undefined) this.#work.activity = activityAfter(event.event, this.#work.activity);
        if (event.event.type === "message_end") this.#markStored(event.event.message);
        break;
      case "run_end":
        this.#endWork();
        if (event.outcome === "aborted") this.#view.showStopped();
        if (event.outcome === "error" && this.#failure === undefined) {
          this.#failure = event.error ?? "the answer failed";
          this.#showError(this.#failure);
        }
        break;
      case "queued":
        if (event.message.id !== undefined) this.#queued.add(event.message.id);
        break;
      case "losses":
        if (event.border === "request")
          this.#showNote(lossNotice(event, this.#talk.current?.session.id ?? "ID"));
        break;
      case "permission":
        if (this.#questions.some(({ id }) => id === event.request.id)) break;
        this.#questions.push(event.request);
        if (this.#questions.length === 1) this.#askPermission(event.request);
        break;
      case "permission_end":
        this.#endPermission(event.id);
        break;
    }
    this.#redraw();
  }

  #markStored(message: AgentMessage): void {
    if (message.id !== undefined) this.#queued.delete(message.id);
    if (message.id !== undefined) this.#unshown.delete(message.id);
    if (failureIn(message) !== undefined) this.#failure = "shown";
  }

  #askPermission(request: PermissionRequest): void {
    this.#editor.stashDraft();
    const { question } = request;
    this.#form = question === undefined ? undefined : new Form(question, this.#paint);
    this.#view.showNotes(this.#form?.lines ?? questionLines(request, this.#paint));
  }

  #endPermission(id: string): void {
    this.#view.restartClocks();
    const [current] = this.#questions;
    this.#questions = this.#questions.filter((question) => question.id !== id);
    const [next] = this.#questions;
    if (next === undefined) this.#editor.restoreDraft();
    else if (next !== current) this.#askPermission(next);
  }

  #answerPermission(id: string, typed: string): void {
    const answer = answerOf(typed);
    const choice = answer === undefined ? undefined : { answer, values: {} };
    const step = this.#form === undefined ? choice : this.#form.accept(typed);
    if (step === undefined) return;
    if ("lines" in step) this.#view.showNotes(step.lines);
    else
      this.#talk.current?.permissions
        .answer(id, step.answer, { values: step.values })
        .then((isAnswered) => {
          if (isAnswered) return;
          this.#endPermission(id);
          this.#showNote("This request was answered elsewhere, or it has expired.");
        })
        .catch((error: unknown) => this.#reportError(error));
  }

  #submit(text: string): void {
    this.#warned = false;
    const [question] = this.#questions;
    if (question !== undefined) {
      this.#answerPermission(question.id, text);
      return;
    }
    if (text.trim() === "") return;
    appendHistory(this.#historyPath, text).catch((error: unknown) => this.#reportError(error));
    if (!isSlashCommand(text)) {
      void this.#send(text.trimEnd());
      return;
    }
    this.#view.showCommand(text.trim());
    runSlashCommand(text, this.#slashContext).catch((error: unknown) => this.#reportError(error));
  }

  /** The message is shown once it is stored. If sending fails, its text returns to the input line. */
  async #send(text: string): Promise<void> {
    const id = newId();
    this.#unshown.add(id);
    try {
      if (this.#work === undefined) this.#startWork(WAITING);
      const conversation = await this.#talk.begin();
      if (this.#unwatch === undefined) this.#watch(conversation);
      const { runtime, agent } = this.#talk;
      const message = { id, role: "user" as const, content: text, timestamp: Date.now() };
      await conversation.send(await runtime.expandMentions(agent, message));
      await conversation.idle();
      if (this.#unshown.has(id)) await this.#showFrom(id, conversation);
    } catch (error) {
      this.#unshown.delete(id);
      this.#endWork();
      this.#reportError(error);
      if (this.#editor.text === "") this.#editor.set(text);
    }
  }

  /** Another process answered the message, so no run was visible here. */
  async #showFrom(id: string, conversation: Conversation): Promise<void> {
    for (const message of await messagesFrom(conversation, id)) {
      this.#view.showPast(message);
      this.#markStored(message);
    }
    this.#endWork();
  }

  #interrupt(): void {
    if (this.#work !== undefined) (this.#work.stop ?? (() => this.#talk.current?.abort()))();
    else if (this.#editor.text !== "") this.#editor.set("");
    else if (this.#warned) this.#exit(0);
    else {
      this.#warned = true;
      this.#view.showNotes([this.#paint("dim", "press Ctrl-C again to exit")]);
    }
  }

  #startWork(activity: string, stop?: () => void): void {
    this.#work = { activity, since: this.#work?.since ?? Date.now(), stop };
    this.#timer ??= setInterval(() => {
      this.#frame++;
      this.#redraw();
    }, FRAME_MS);
  }

  #endWork(): void {
    this.#work = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#redraw();
  }

  get #slashContext(): SlashContext {
    return {
      talk: this.#talk,
      style: { paint: this.#paint, columns: this.#screen.columns },
      print: (...lines) => this.#view.showNotes(lines),
      isWorking: () => this.#work !== undefined,
      switchTo: (conversation) => {
        this.#talk.current = conversation;
        this.#watch(conversation);
      },
      toggleThinking: () => {
        this.#thinking = !this.#thinking;
        return this.#thinking;
      },
      interruptible: (activity, work) => this.#interruptible(activity, work),
      exit: () => this.#exit(0),
      resume: this.#options.resume,
    };
  }

  async #interruptible<T>(activity: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#startWork(activity, () => controller.abort());
    try {
      return await work(controller.signal);
    } finally {
      this.#endWork();
    }
  }

  #showError(text: string): void {
    this.#view.showNotes(wrap(plain(text), this.#screen.columns).map((line) => this.#paint("red", line)));
  }

  #reportError(error: unknown): void {
    const words = wordsOf(error);
    if (words !== this.#failure) this.#showError(describeError(error));
  }

  #showNote(text: string): void {
    this.#view.showNotes(wrap(plain(text), this.#screen.columns).map((line) => this.#paint("dim", line)));
  }

  #redraw(): void {
    const { columns, rows } = this.#screen;
    const above = [""];
    if (this.#questions.length > 0) {
      above.push(this.#paint("yellow", plainLine(this.#form?.hint ?? CHOICES, columns - 1)));
    } else if (this.#work !== undefined) {
      const { activity, since } = this.#work;
      const status = { activity, ms: Date.now() - since, queued: this.#queued.size, frame: this.#frame };
      above.push(statusLine(status, columns, this.#paint));
    }
    const { text, cursor } = this.#editor;
    const room = { columns, rows: Math.max(Math.floor(rows / 2) - above.length, 1) };
    const input = inputRows(text, cursor, room, `${this.#paint("cyan", "›")} `);
    this.#screen.show({
      lines: [...above, ...input.lines],
      cursor: { row: above.length + input.cursor.row, column: input.cursor.column },
    });
  }
}
