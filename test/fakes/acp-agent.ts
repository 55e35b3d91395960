import { isAbsolute } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ProgramInput } from "../../src/acp/client/agent-program.js";
import type { ProcessEvents } from "../../src/tools/message-process.js";
import { FrameJudge, judgeClientFrame } from "../support/acp-schema.js";

type Json = Record<string, unknown>;
type Update = Json & { sessionUpdate: string };

/** What a script can do while it answers a prompt. */
export interface FakeTurn {
  prompt: Json[];
  send(update: Update): void;
  text(text: string, messageId?: string): void;
  /** Asks for permission; the id of the selected option, or `cancelled`. */
  ask(toolCall: Json, kinds?: readonly string[]): Promise<string>;
  /** Fulfilled when the client cancels. */
  cancelled: Promise<void>;
}

/** Returns the reason why the turn stopped. */
export type FakeScript = (turn: FakeTurn) => Promise<string>;

export interface FakeAgentOptions {
  script: FakeScript;
  capabilities?: Json;
  authMethods?: Json[];
  /** Replays a loaded session after the answer, as Gemini CLI does. */
  replaysLate?: boolean;
  /** The sessions that the program has stored, with the updates of each. A second program can get the first one's. */
  disk?: Map<string, Update[]>;
}

/**
 * A program that speaks the Agent Client Protocol, in this process. It refuses what a strict agent refuses: frames that differ
 * from the published schema, requests before `initialize`, unknown sessions, relative folders, a second prompt at the same
 * time. Refusals are in `problems`.
 */
export class FakeAcpAgent {
  readonly problems: string[] = [];
  readonly methods: string[] = [];
  readonly calls: { method: string; params: Json }[] = [];
  readonly disk: Map<string, Update[]>;
  script: FakeScript;
  starts = 0;
  readonly #options: FakeAgentOptions;
  #process: FakeProcess | undefined;

  constructor(options: FakeAgentOptions) {
    this.#options = options;
    this.script = options.script;
    this.disk = options.disk ?? new Map();
  }

  readonly start = (_program: unknown, events: ProcessEvents): ProgramInput => {
    this.starts++;
    this.#process = new FakeProcess(this, this.#options, events);
    return this.#process;
  };

  /** The process dies. */
  kill(): void {
    this.#process?.die("the process was ended by SIGKILL");
  }
}

class FakeProcess implements ProgramInput {
  readonly #agent: FakeAcpAgent;
  readonly #options: FakeAgentOptions;
  readonly #events: ProcessEvents;
  readonly #judge = new FrameJudge();
  readonly #open = new Set<string>();
  readonly #cancels = new Map<string, () => void>();
  readonly #asked = new Map<unknown, (outcome: string) => void>();
  #replaying: Promise<void> | undefined;
  #isInitialized = false;
  #isDead = false;
  #lastId = 0;

  constructor(agent: FakeAcpAgent, options: FakeAgentOptions, events: ProcessEvents) {
    this.#agent = agent;
    this.#options = options;
    this.#events = events;
  }

  async write(line: string): Promise<void> {
    if (this.#isDead) throw new Error("broken pipe");
    const frame = JSON.parse(line);
    try {
      judgeClientFrame(frame);
    } catch (error) {
      this.#agent.problems.push(String(error));
    }
    if (frame.method === undefined) this.#acceptAnswer(frame);
    else await this.#accept(frame);
  }

  async close(): Promise<void> {
    this.#isDead = true;
    for (const cancel of this.#cancels.values()) cancel();
  }

  die(why: string): void {
    this.#isDead = true;
    this.#events.onClose(new Error(why));
  }

  async #accept({ id, method, params }: { id?: unknown; method: string; params: Json }): Promise<void> {
    this.#agent.methods.push(method);
    this.#agent.calls.push({ method, params });
    if (id === undefined) {
      if (method === "session/cancel") this.#cancels.get(String(params["sessionId"]))?.();
      return;
    }
    this.#judge.expect(id, method);
    try {
      const result = await this.#answer(method, params);
      this.#send({ id, result });
    } catch (error) {
      const { code = -32603, message } = error as { code?: number; message: string };
      this.#send({ id, error: { code, message } });
    }
  }

  async #answer(method: string, params: Json): Promise<Json> {
    if (method === "initialize") {
      this.#isInitialized = true;
      const { capabilities = {}, authMethods = [] } = this.#options;
      return { protocolVersion: 1, agentCapabilities: capabilities, authMethods };
    }
    if (!this.#isInitialized) this.#refuse("not initialized");
    const sessionId = String(params["sessionId"]);
    switch (method) {
      case "authenticate":
        return {};
      case "session/new":
        return { sessionId: this.#create(params) };
      case "session/load":
      case "session/resume": {
        if (!isAbsolute(String(params["cwd"]))) this.#refuse("cwd must be absolute");
        if (this.#open.has(sessionId)) this.#refuse("the session is open already");
        const stored = this.#agent.disk.get(sessionId);
        if (stored === undefined) throw Object.assign(new Error("Resource not found"), { code: -32002 });
        this.#open.add(sessionId);
        if (method === "session/load") this.#replaying = this.#replay(sessionId, [...stored]);
        return {};
      }
      case "session/prompt":
        return { stopReason: await this.#prompt(sessionId, params["prompt"] as Json[]) };
      default:
        return this.#refuse(`unknown method ${method}`);
    }
  }

  async #replay(sessionId: string, updates: readonly Update[]): Promise<void> {
    for (const update of updates) {
      if (this.#options.replaysLate === true) await pause(5);
      this.#update(sessionId, update);
    }
  }

  #create({ cwd }: Json): string {
    if (!isAbsolute(String(cwd))) this.#refuse("cwd must be absolute");
    const sessionId = `s${this.#agent.disk.size + 1}`;
    this.#agent.disk.set(sessionId, []);
    this.#open.add(sessionId);
    return sessionId;
  }

  async #prompt(sessionId: string, prompt: Json[]): Promise<string> {
    if (!this.#open.has(sessionId)) this.#refuse(`session ${sessionId} is not open`);
    if (this.#cancels.has(sessionId)) this.#refuse("a prompt is in progress");
    const stored = this.#agent.disk.get(sessionId) ?? [];
    for (const content of prompt) stored.push({ sessionUpdate: "user_message_chunk", content });
    const send = (update: Update) => {
      stored.push(update);
      this.#update(sessionId, update);
    };
    const cancelled = new Promise<void>((resolve) => this.#cancels.set(sessionId, resolve));
    try {
      // A model answers later than the program replays.
      await this.#replaying;
      return await this.#agent.script({
        prompt,
        send,
        text: (text, messageId) => {
          const id = messageId === undefined ? {} : { messageId };
          send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...id });
        },
        ask: (toolCall, kinds = ["allow_once", "allow_always", "reject_once"]) =>
          this.#ask(sessionId, toolCall, kinds),
        cancelled,
      });
    } finally {
      this.#cancels.delete(sessionId);
    }
  }

  #ask(sessionId: string, toolCall: Json, kinds: readonly string[]): Promise<string> {
    const id = `ask-${++this.#lastId}`;
    const options = kinds.map((kind) => ({ optionId: kind, name: kind, kind }));
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#send({ id, method: "session/request_permission", params: { sessionId, toolCall, options } });
    });
  }

  #acceptAnswer({ id, result }: { id: unknown; result: { outcome: Json } }): void {
    const { outcome, optionId } = result.outcome;
    this.#asked.get(id)?.(outcome === "cancelled" ? "cancelled" : String(optionId));
    this.#asked.delete(id);
  }

  #update(sessionId: string, update: Update): void {
    this.#send({ method: "session/update", params: { sessionId, update } });
  }

  #send(frame: Json): void {
    if (this.#isDead) return;
    const sent = { jsonrpc: "2.0", ...frame };
    this.#judge.judge(sent);
    this.#events.onMessage(sent);
  }

  #refuse(why: string): never {
    this.#agent.problems.push(why);
    throw Object.assign(new Error(why), { code: -32602 });
  }
}
