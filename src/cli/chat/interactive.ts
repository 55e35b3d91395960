import { join } from "node:path";
import { wordsOf } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { failureIn } from "../../core/message/failure.js";
import type { AgentMessage } from "../../core/types.js";
import { wrap } from "../../markdown/word-wrap.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { plain } from "../sessions/plain.js";
import { type Paint, painter, wantsColour } from "../terminal/colour.js";
import { describeError } from "../terminal/errors.js";
import { reportLine } from "../terminal/report-line.js";
import { AnswerView } from "./answer-view.js";
import { withImages } from "./attachments.js";
import { completionsFor, sessionItems } from "./completions.js";
import { type Footer, footerFor } from "./footer.js";
import { inputArea } from "./input-area.js";
import type { MenuItem } from "./input-menu.js";
import { InputOverlay } from "./input-overlay.js";
import { LineEditor, pasteMarks } from "./line-editor.js";
import { lossNotice } from "./loss-notice.js";
import { Questions } from "./questions.js";
import { Screen } from "./screen.js";
import { isSlashCommand, runSlashCommand, type SlashContext } from "./slash-commands.js";
import { WAITING } from "./status.js";
import { messagesFrom, type Talk } from "./talk.js";
import { appendHistory, readHistory } from "./typed-history.js";
import { Work } from "./work.js";

export interface InteractiveOptions {
  thinking: boolean;
  greeting?: string;
  /** Lets the user choose the session to continue first. */
  picks: boolean;
  noColour: boolean | undefined;
  /** The command that continues a session. */
  resume(id: string): string;
  /** Redirects the runtime's notes. */
  redirectNotes(listener: (text: string) => void): void;
}

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

class Interactive {
  readonly #talk: Talk;
  readonly #options: InteractiveOptions;
  readonly #paint: Paint;
  readonly #screen = new Screen(process.stdout);
  readonly #view: AnswerView;
  readonly #editor: LineEditor;
  readonly #overlay: InputOverlay;
  readonly #questions: Questions;
  #footer: Footer | undefined;
  readonly #historyPath: string;
  readonly #queued = new Set<string>();
  /** Sent, not shown yet. */
  readonly #unshown = new Set<string>();
  #write = (text: string) => this.#screen.write(text);
  #thinking: boolean;
  readonly #work = new Work(() => this.#redraw());
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
    this.#questions = new Questions({
      paint: this.#paint,
      show: (lines) => this.#view.showNotes(lines),
      workspace: () => this.#talk.workspace(),
      answer: async (id, answer, values) =>
        (await this.#talk.current?.permissions.answer(id, answer, { values })) ?? false,
      onOpen: () => this.#editor.stashDraft(),
      onClose: () => this.#editor.restoreDraft(),
      onError: (error) => this.#reportError(error),
    });
    this.#overlay = new InputOverlay({
      editor: () => this.#editor,
      history,
      complete: (before) => completionsFor(before, this.#talk),
      onChange: () => this.#redraw(),
      onError: (error) => this.#reportError(error),
      paint: this.#paint,
    });
    this.#editor = new LineEditor({
      input: process.stdin,
      history,
      intercept: (key) =>
        this.#questions.intercept(key) || (!this.#questions.isOpen && this.#overlay.intercept(key)),
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
      if (this.#options.picks) await this.#pickFirst();
      const { current } = this.#talk;
      if (current !== undefined) await this.#resume(current);
      await this.#updateFooter();
      if (prompt !== "") void this.#send(prompt);
      return await this.#exited;
    } finally {
      this.#options.redirectNotes(reportLine);
      this.#unwatch?.();
      this.#work.close();
      this.#screen.end();
      this.#editor.close();
      process.stdout.write(pasteMarks.off);
    }
  }

  /** The latest session is marked, so that Enter continues it. */
  async #pickFirst(): Promise<void> {
    const items = await sessionItems(this.#talk);
    const chosen = items.length < 2 ? this.#talk.current?.session.id : await this.#pickSession(items);
    this.#talk.current = chosen === undefined ? undefined : await this.#talk.runtime.open(chosen);
  }

  async #pickSession(items: readonly MenuItem[]): Promise<string | undefined> {
    if (items.length === 0) return undefined;
    const chosen = await this.#overlay.pick(
      "Continue which session? Enter to choose, Esc for a new one",
      items,
    );
    return chosen?.value;
  }

  /** Model, context and cost below the input line. */
  async #updateFooter(): Promise<void> {
    this.#footer = await footerFor(this.#talk);
    this.#redraw();
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
        this.#work.start(WAITING);
        break;
      case "agent":
        this.#view.observe(event.event);
        this.#work.observe(event.event);
        if (event.event.type === "message_end") this.#markStored(event.event.message);
        break;
      case "run_end":
        this.#work.end();
        this.#updateFooter().catch((error: unknown) => this.#reportError(error));
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
        this.#questions.add(event.request);
        break;
      case "permission_end":
        this.#view.restartClocks();
        this.#questions.end(event.id);
        break;
    }
    this.#redraw();
  }

  #markStored(message: AgentMessage): void {
    for (const ids of [this.#queued, this.#unshown]) ids.delete(message.id ?? "");
    if (failureIn(message) !== undefined) this.#failure = "shown";
  }

  #submit(text: string): void {
    this.#warned = false;
    if (this.#questions.isOpen) {
      this.#questions.submit(text);
      return;
    }
    if (text.trim() === "") return;
    appendHistory(this.#historyPath, text).catch((error: unknown) => this.#reportError(error));
    if (!isSlashCommand(text)) {
      void this.#send(text.trimEnd());
      return;
    }
    this.#view.showCommand(text.trim());
    runSlashCommand(text, this.#slashContext)
      .then(() => this.#updateFooter())
      .catch((error: unknown) => this.#reportError(error));
  }

  /** The message is shown once it is stored. If sending fails, its text returns to the input line. */
  async #send(text: string): Promise<void> {
    const id = newId();
    this.#unshown.add(id);
    try {
      if (!this.#work.isOpen) this.#work.start(WAITING);
      const conversation = await this.#talk.begin();
      if (this.#unwatch === undefined) this.#watch(conversation);
      const { runtime, agent } = this.#talk;
      const typed = { id, role: "user" as const, content: text, timestamp: Date.now() };
      const message = await withImages(typed, await this.#talk.workspace());
      await conversation.send(await runtime.expandMentions(agent, message));
      await conversation.idle();
      if (this.#unshown.has(id)) await this.#showFrom(id, conversation);
    } catch (error) {
      this.#unshown.delete(id);
      this.#work.end();
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
    this.#work.end();
  }

  #interrupt(): void {
    if (this.#work.isOpen) this.#work.stop(() => this.#talk.current?.abort());
    else if (this.#editor.text !== "") this.#editor.set("");
    else if (this.#warned) this.#exit(0);
    else {
      this.#warned = true;
      this.#view.showNotes([this.#paint("dim", "press Ctrl-C again to exit")]);
    }
  }

  get #slashContext(): SlashContext {
    return {
      talk: this.#talk,
      style: { paint: this.#paint, columns: this.#screen.columns },
      print: (...lines) => this.#view.showNotes(lines),
      isWorking: () => this.#work.isOpen,
      switchTo: (conversation) => {
        this.#talk.current = conversation;
        this.#watch(conversation);
      },
      continueIn: async (conversation) => {
        this.#talk.current = conversation;
        await this.#resume(conversation);
      },
      pickSession: async () => this.#pickSession(await sessionItems(this.#talk)),
      toggleThinking: () => {
        this.#thinking = !this.#thinking;
        return this.#thinking;
      },
      interruptible: (activity, work) => this.#work.interruptible(activity, work),
      exit: () => this.#exit(0),
      resume: this.#options.resume,
    };
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
    const area = {
      hint: this.#questions.isOpen ? this.#questions.hint : undefined,
      status: this.#work.status,
      queued: this.#queued.size,
      overlay: this.#overlay.lines({ columns, rows: Math.floor(rows / 3) }),
      text: this.#editor.text,
      cursor: this.#editor.cursor,
      footer: this.#footer,
    };
    this.#screen.show(inputArea(area, { columns, rows }, this.#paint));
  }
}
