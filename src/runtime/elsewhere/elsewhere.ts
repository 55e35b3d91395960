import type { QueueMode } from "../../agent/queue.js";
import type { FormContent } from "../../core/message/question.js";
import type { PermissionAnswer } from "../../core/types.js";
import type { Entry } from "../../log/types.js";
import type { ConversationOptions } from "../conversation-options.js";
import type { ConversationEvent } from "../types.js";
import { HandedOver } from "./handed-over.js";
import type { Owner, Owners } from "./owner.js";
import { type MirrorHost, RunMirror } from "./run-mirror.js";
import { StoredQuestions } from "./stored-questions.js";

/** How long a client waits for the state of a run elsewhere before it joins without. */
const PATIENCE_MS = 2_000;
/** While the link is down, how often to look whether the gateway that ran the session still holds it. */
const LOOK_MS = 1_000;
/** The same while the link is up: a machine that is gone does not close it. */
const LOOK_JOINED_MS = 5_000;

interface ElsewhereOptions extends MirrorHost {
  owners: Owners;
  /** The only gateway that runs the session, if it is another one. */
  pinned(): string | undefined;
  runsHere(): boolean;
}

/** Undefined if this process shares its store with no other gateway. */
export function elsewhereOf(
  {
    owners,
    pinned,
    session,
    onFailure,
  }: Pick<ConversationOptions, "owners" | "pinned" | "session" | "onFailure">,
  host: Pick<ElsewhereOptions, "live" | "emit" | "runsHere">,
): Elsewhere | undefined {
  return owners && new Elsewhere({ owners, pinned, session, onFailure, now: Date.now, ...host });
}

/**
 * The part of a conversation that happens on another gateway: the run there, as long as someone here watches, and the
 * messages from here that it answers.
 */
export class Elsewhere {
  readonly #options: ElsewhereOptions;
  readonly #handedOver = new HandedOver(() => this.#wake());
  readonly #questions: StoredQuestions;
  #owner: Owner | undefined;
  #mirror: RunMirror | undefined;
  #stopFollowing: () => void = () => undefined;
  #watchers = 0;
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** A run that is in progress as far as is known here, and whose session was free at the last look. */
  #ownerless: string | undefined;
  /** Called when something has changed that a caller may wait for. */
  readonly #waiting = new Set<() => void>();

  constructor(options: ElsewhereOptions) {
    this.#options = options;
    this.#questions = new StoredQuestions(options.session.id);
  }

  /** The run in progress there. */
  get run(): { id: string; seq: number } | undefined {
    return this.#mirror?.run;
  }

  /** Whether a run is in progress there, or is about to answer messages from here. */
  get busy(): boolean {
    return this.run !== undefined || this.#handedOver.size > 0;
  }

  /** A watcher joins. Returns a function that removes it. */
  watch(): () => void {
    this.#watchers++;
    if (this.#watchers === 1) void this.#check();
    return () => {
      this.#watchers--;
      if (this.#watchers > 0) return;
      this.#handedOver.clear();
      this.#unfollow();
    };
  }

  /** An event of the conversation, of a run here or there. */
  observe(event: ConversationEvent): void {
    this.#questions.observe(event);
    if (event.type === "run_end") this.#handedOver.removeRead();
    if (event.type === "agent" && event.event.type === "message_end") {
      this.#handedOver.observe(event.event.message);
    }
  }

  /** Another process has stored a message, so it may be running the session. */
  observeForeign(entry: Entry): void {
    this.#handedOver.observe(entry.message);
    const question = this.#options.runsHere() ? undefined : this.#questions.read(entry.message);
    if (question !== undefined) this.#options.emit(question);
    this.#mirror?.observeStored(entry);
    if (this.run === undefined) void this.#check();
  }

  /** Fulfilled when a run elsewhere is known, if there is one. */
  async located(): Promise<void> {
    await this.#checking;
    const mirror = this.#mirror;
    if (mirror === undefined || mirror.isSettled) return;
    await this.#until(() => mirror.isSettled, PATIENCE_MS);
  }

  /** Fulfilled when nothing is in progress there. */
  async idle(): Promise<void> {
    if (this.busy) await this.#until(() => !this.busy);
  }

  /** The owner is another one, or gone, or this process: a run in it begins. */
  leave(): void {
    this.#mirror?.endRun({ outcome: "error", error: "the gateway that ran it has stopped" });
    this.#unfollow();
  }

  /**
   * Leaves stored messages to the session's owner. False if there is none that can be reached, unless no other gateway may
   * run the session: then they wait for it.
   */
  async handOver(messages: readonly { id: string; mode: QueueMode }[]): Promise<boolean> {
    const { owners, session, onFailure, pinned } = this.#options;
    const gateway = pinned();
    const owner = await owners.ownerOf(session.id, gateway);
    if (owner === undefined) return gateway !== undefined;
    // Without a watcher, their answers would not be noticed here.
    if (this.#watchers > 0) for (const { id } of messages) this.#handedOver.add(id);
    for (const { id, mode } of messages) {
      // If it does not arrive, the owner finds the message in the store when its run ends.
      owner.deliver(session.id, id, mode, gateway === undefined ? undefined : id).catch(onFailure);
    }
    if (this.#watchers > 0) void this.#check();
    return true;
  }

  async abort(): Promise<boolean> {
    const { run } = this;
    return run === undefined || this.#owner === undefined
      ? false
      : this.#owner.abort(this.#options.session.id, run.id);
  }

  /** Answers a form there; undefined if no other gateway runs the session. */
  async answerForm(id: string, answer: PermissionAnswer, content: FormContent): Promise<boolean | undefined> {
    return this.run === undefined
      ? undefined
      : this.#owner?.answer(this.#options.session.id, id, answer, content);
  }

  #check(): Promise<void> {
    this.#checking ??= this.#findOwner().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #findOwner(): Promise<void> {
    const { owners, session, runsHere, onFailure, pinned } = this.#options;
    if (this.#watchers === 0 || runsHere()) return;
    try {
      const owner = await owners.ownerOf(session.id, pinned());
      if (this.#watchers === 0 || runsHere()) return;
      // The link connects again by itself.
      if (owner !== undefined && owner.name === this.#owner?.name) return;
      if (owner === undefined && this.#mirror?.isJoined === true && this.#expectsEnd()) return;
      this.leave();
      this.#owner = owner;
      this.#follow();
    } catch (error) {
      onFailure(error);
    }
  }

  #follow(): void {
    const owner = this.#owner;
    if (owner === undefined) return;
    this.#stopFollowing();
    this.#mirror ??= new RunMirror(this.#options, () => this.#onMirrorChange());
    this.#stopFollowing = owner.follow(this.#options.session.id, this.#mirror);
  }

  /** Whether the run has ended and its end is on its way: not for longer than from one look to the next. */
  #expectsEnd(): boolean {
    const run = this.run?.id;
    const isOverdue = run !== undefined && run === this.#ownerless;
    this.#ownerless = run;
    return !isOverdue;
  }

  #onMirrorChange(): void {
    this.#scheduleLook();
    this.#wake();
  }

  #scheduleLook(): void {
    clearTimeout(this.#timer);
    const mirror = this.#mirror;
    if (mirror?.run === undefined) return;
    this.#timer = setTimeout(
      () => void this.#check().then(() => this.#scheduleLook()),
      mirror.isJoined ? LOOK_JOINED_MS : LOOK_MS,
    ).unref();
  }

  #unfollow(): void {
    clearTimeout(this.#timer);
    this.#ownerless = undefined;
    this.#stopFollowing();
    this.#stopFollowing = () => undefined;
    this.#mirror?.close();
    this.#mirror = undefined;
    this.#owner = undefined;
    this.#wake();
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }

  #until(isDone: () => boolean, atMostMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      const look = () => {
        if (isDone()) end();
      };
      const timer = atMostMs === undefined ? undefined : setTimeout(end, atMostMs);
      this.#waiting.add(look);
      look();
    });
  }
}
