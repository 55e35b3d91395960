import { wordsOf } from "../../core/error.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AgentEvent, AgentMessage, AssistantMessage, UserMessage } from "../../core/types.js";
import type { Entry, Position, SessionLog } from "../../log/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Feed, type Follower } from "../../runtime/feed.js";
import type { RunningTool } from "../../runtime/live-state.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { Answer } from "./answer.js";
import type { AnswerClient } from "./answer-client.js";
import { AnswerClients } from "./answer-clients.js";
import type { ChunkWriter } from "./chunk-writer.js";

/** A conversation, and how its answers are written. */
export interface AnswerSubject<C> {
  conversation: Conversation;
  makeWriter(): ChunkWriter<C>;
  /** Whether a permission request ends the streams; they continue when it is answered. */
  pausesFor(request: PermissionRequest): boolean;
}

/** What was under way when the feed began. */
interface Joined {
  answer: AssistantMessage | undefined;
  steps: ReturnType<Conversation["live"]["answerEvents"]>;
  tools: RunningTool[];
  isRunning: boolean;
}

/** A conversation's answers, one after another, in the chunks of a protocol. Clients can join one at any moment. */
export class AnswerFeed<C> implements Follower {
  readonly feed: Feed;
  /** Fulfilled when the answer in progress is known. */
  readonly ready: Promise<void>;
  readonly #subject: AnswerSubject<C>;
  readonly #clients = new AnswerClients<C>();
  readonly #onBegin = new Set<() => void>();
  /** What arrives before the feed is ready. */
  #early: (() => void)[] | undefined = [];
  /** The last user message and what follows it: a resumed run answers it without repeating it. */
  #recent: AgentMessage[] = [];
  #answer: Answer<C> | undefined;

  constructor(subject: AnswerSubject<C>) {
    this.#subject = subject;
    const { conversation } = subject;
    const { live } = conversation;
    // In one tick, so that nothing is missed between the live state and the first event.
    const joined: Joined = {
      answer: live.answer === undefined ? undefined : { ...live.answer },
      steps: live.answerEvents(),
      tools: [...live.tools.values()],
      isRunning: live.running,
    };
    this.feed = Feed.follow(conversation, this);
    // Another follower may have begun the feed; a new feed's position is known when it is ready.
    const position = this.feed.start === undefined ? undefined : this.feed.position;
    this.ready = this.feed.ready.then(() =>
      this.#begin(conversation, joined, position ?? this.feed.start ?? 0),
    );
    this.ready.catch((error) => this.onFailure(error));
  }

  /** The answer in progress. */
  get answer(): Answer<C> | undefined {
    return this.#answer;
  }

  close(): void {
    this.feed.leave(this);
  }

  /** The client receives the answer to a message, from its beginning. */
  follow(messageId: string, client: AnswerClient<C>): void {
    if (this.#answer?.to.has(messageId)) this.join(client);
    else this.#clients.waitFor(messageId, client);
  }

  /** The client receives the rest of the answer in progress, after its first `from` chunks. */
  join(client: AnswerClient<C>, from = 0): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    this.#clients.join(client, answer, from);
    this.#pause([client]);
  }

  leave(client: AnswerClient<C>): void {
    this.#clients.leave(client);
  }

  /** Fulfilled when an answer is in progress, with true; with false if the conversation becomes idle without one. */
  async hasAnswer(): Promise<boolean> {
    await this.ready;
    if (this.#answer !== undefined) return true;
    let stop = () => {};
    const begun = new Promise<boolean>((resolve) => {
      const onBegin = () => resolve(true);
      this.#onBegin.add(onBegin);
      stop = () => this.#onBegin.delete(onBegin);
    });
    const { conversation } = this.#subject;
    const ended = conversation
      .idle()
      .then(() => this.feed.drained())
      .then(() => this.#answer !== undefined);
    return Promise.race([begun, ended]).finally(stop);
  }

  /** Ends an answer that another process gave: its run has no end here. Call it when the conversation is idle. */
  settle(): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    const { outcome } = answer;
    if (outcome === undefined) this.#finish(answer, "error", "the agent could not run");
    else this.#finish(answer, outcome);
  }

  onEntry({ message }: Entry): void {
    this.#inOrder(() => this.#addStored(message));
  }

  onEvent(event: ConversationEvent): void {
    // The live message grows: a step that is handled later must not see more than it has.
    this.#inOrder(() => this.#addEvent(event));
  }

  onFailure(error: unknown): void {
    this.#answer = undefined;
    this.#clients.fail(`the session cannot be followed: ${wordsOf(error)}`);
  }

  async #begin({ session, permissions }: Conversation, joined: Joined, position: Position): Promise<void> {
    this.#recent = await recentMessages(session, position);
    if (joined.isRunning) this.#joinRun(joined);
    for (const request of await permissions.pending()) this.#answerToRecent()?.ask(request);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const handle of early) handle();
  }

  #joinRun({ answer: live, steps, tools }: Joined): void {
    const answer = this.#answerToRecent();
    if (answer === undefined) return;
    if (live !== undefined) for (const step of steps) answer.addStep(live, step);
    for (const tool of tools) {
      answer.addToolEvent({ type: "tool_execution_start", ...tool });
      const { partialResult } = tool;
      if (partialResult === undefined) continue;
      answer.addToolEvent({ type: "tool_execution_update", ...tool, partialResult });
    }
  }

  #inOrder(handle: () => void): void {
    if (this.#early === undefined) handle();
    else this.#early.push(handle);
  }

  #addStored(message: AgentMessage): void {
    if (message.role === "user") {
      this.#recent = [message];
      // A message that arrives during a run begins the next answer.
      if (this.#answer !== undefined) this.#finish(this.#answer, "done");
      this.#start(message);
      return;
    }
    this.#recent.push(message);
    if (this.#answer !== undefined) this.#clients.send(this.#answer.addMessage(message));
  }

  #addEvent(event: ConversationEvent): void {
    switch (event.type) {
      case "agent":
        this.#addAgentEvent(event.event);
        return;
      case "run_end":
        if (this.#answer !== undefined) this.#finish(this.#answer, event.outcome, event.error);
        return;
      case "permission": {
        const answer = this.#answerToRecent();
        if (answer === undefined) return;
        this.#clients.send(answer.ask(event.request));
        this.#pause();
        return;
      }
      case "permission_end":
        this.#answer?.closeRequest(event.id);
        return;
      default:
    }
  }

  #addAgentEvent(event: AgentEvent): void {
    switch (event.type) {
      case "message_update": {
        if (event.message.role !== "assistant") return;
        const answer = this.#answerToRecent();
        if (answer !== undefined)
          this.#clients.send(answer.addStep(event.message, event.assistantMessageEvent));
        return;
      }
      case "message_end":
        // Already added if its line was read; otherwise it was stored before this feed began.
        if (event.message.role !== "user" && this.#answer !== undefined)
          this.#clients.send(this.#answer.addMessage(event.message));
        return;
      case "tool_execution_start":
      case "tool_execution_update":
      case "tool_execution_end": {
        const answer = this.#answerToRecent();
        if (answer !== undefined) this.#clients.send(answer.addToolEvent(event));
        return;
      }
      default:
    }
  }

  /** The answer in progress; if a run was resumed, it begins with what is stored. */
  #answerToRecent(): Answer<C> | undefined {
    if (this.#answer !== undefined) return this.#answer;
    const [prompt, ...others] = this.#recent;
    if (prompt?.role !== "user") return undefined;
    const answer = this.#start(prompt);
    for (const message of others) this.#clients.send(answer.addMessage(message));
    return answer;
  }

  #start(prompt: UserMessage): Answer<C> {
    const answer = new Answer(this.#subject.makeWriter(), prompt);
    this.#answer = answer;
    for (const client of this.#clients.awaiting(answer.to)) this.join(client);
    for (const onBegin of this.#onBegin) onBegin();
    return answer;
  }

  /** Ends streams if a request waits for an answer, by default those of all clients. */
  #pause(clients?: Iterable<AnswerClient<C>>): void {
    const open = this.#answer?.openRequests ?? [];
    const requests = open.filter((request) => this.#subject.pausesFor(request));
    if (requests.length > 0) this.#clients.pause(requests, clients);
  }

  #finish(answer: Answer<C>, ...[outcome, error]: Parameters<Answer<C>["finish"]>): void {
    this.#clients.send(answer.finish(outcome, error));
    this.#answer = undefined;
    this.#clients.end();
  }
}

/** The last user message before a position, and everything after it. */
async function recentMessages(session: SessionLog, before: Position): Promise<AgentMessage[]> {
  for (let count = 8; ; count *= 4) {
    const entries = await session.last(count, { before });
    const at = entries.findLastIndex(({ message }) => message.role === "user");
    if (at >= 0) return entries.slice(at).map(({ message }) => message);
    if (entries.length < count) return [];
  }
}
