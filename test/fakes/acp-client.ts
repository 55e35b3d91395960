import { onTestFinished } from "vitest";
import { AcpAgent } from "../../src/acp/agent/agent.js";
import { HomeConnection } from "../../src/cli/acp/home-connection.js";
import { requireFolder } from "../../src/runtime/session-folder.js";
import { FrameJudge } from "../support/acp-schema.js";

type Json = Record<string, unknown>;
export type Update = Json & { sessionUpdate: string };

export interface AcpClientOptions {
  home: string;
  agent?: string;
  capabilities?: Json;
}

/**
 * A client in the same process as the agent. It refuses what a strict client refuses: a frame that differs from the published
 * schema, an update of a session that it did not open, and one of a tool call that it does not know.
 */
export class AcpClient {
  readonly updates: Update[] = [];
  readonly requests: { id: unknown; params: Json }[] = [];
  /** Questions of `elicitation/create`, and the answer to each. */
  readonly questions: Json[] = [];
  elicitation: Json = { action: "decline" };
  readonly cancelled: unknown[] = [];
  readonly problems: string[] = [];
  /** Selected in every permission request; undefined answers none. */
  permission: string | undefined = "once";
  readonly #agent: AcpAgent;
  readonly #judge = new FrameJudge();
  readonly #sessions = new Set<unknown>();
  readonly #calls = new Set<unknown>();
  readonly #pending = new Map<number, { resolve: (result: Json) => void; reject: (error: Error) => void }>();
  readonly #waiting = new Set<() => void>();
  #id = 0;

  private constructor({ home, agent = "main" }: AcpClientOptions) {
    const keep = (fields: object, text: string) => this.problems.push(`${text} ${JSON.stringify(fields)}`);
    const connection = new HomeConnection(home, { info: keep, warn: keep, error: keep });
    this.#agent = new AcpAgent({
      agent,
      version: "1.2.3",
      connect: () => connection.connect(),
      write: (text) => this.#receive(text),
      drained: async () => undefined,
      requireFolder,
      onProblem: (text, error) => this.problems.push(`${text} ${error ?? ""}`),
    });
    onTestFinished(async () => {
      await this.#agent.close();
      await connection.close();
    });
  }

  static async open(options: AcpClientOptions): Promise<AcpClient> {
    const client = new AcpClient(options);
    await client.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: options.capabilities ?? {},
    });
    return client;
  }

  request(method: string, params: Json): Promise<Json> {
    const id = ++this.#id;
    this.#judge.expect(id, method);
    if (params["sessionId"] !== undefined) this.#sessions.add(params["sessionId"]);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#agent.receive(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  notify(method: string, params: Json): void {
    this.#agent.receive(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** A new session in a folder. */
  async start(cwd: string, mcpServers: Json[] = []): Promise<string> {
    const { sessionId } = await this.request("session/new", { cwd, mcpServers });
    this.#sessions.add(sessionId);
    return String(sessionId);
  }

  prompt(sessionId: string, text: string): Promise<Json> {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  respond(id: unknown, result: Json): void {
    this.#agent.receive(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }

  /** Fulfilled once the condition is true, checked after each frame. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #receive(text: string): void {
    const frame = JSON.parse(text);
    this.#judge.judge(frame);
    if (frame.method === "session/update") this.#update(frame.params);
    else if (frame.method === "session/request_permission") this.#ask(frame);
    else if (frame.method === "elicitation/create") this.#elicit(frame);
    else if (frame.method === "$/cancel_request") this.cancelled.push(frame.params.requestId);
    else this.#end(frame);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #update({ sessionId, update }: { sessionId: string; update: Update }): void {
    if (!this.#sessions.has(sessionId)) throw new Error(`an update of unknown session ${sessionId}`);
    const { sessionUpdate, toolCallId } = update;
    if (sessionUpdate === "tool_call") this.#calls.add(toolCallId);
    if (sessionUpdate === "tool_call_update" && !this.#calls.has(toolCallId)) {
      throw new Error(`an update of unknown tool call ${toolCallId}`);
    }
    this.updates.push(update);
  }

  #ask({ id, params }: { id: unknown; params: Json }): void {
    this.requests.push({ id, params });
    const optionId = this.permission;
    if (optionId !== undefined) this.respond(id, { outcome: { outcome: "selected", optionId } });
  }

  #elicit({ id, params }: { id: unknown; params: Json }): void {
    this.questions.push(params);
    this.respond(id, this.elicitation);
  }

  #end({ id, result, error }: { id: number; result: Json; error?: { code: number; message: string } }): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(`${error.code} ${error.message}`));
  }
}

/**
 * Updates as short lines: `agent hello`, `call exec: ls`, `call_1 completed`. Consecutive chunks of a message are joined.
 * Titles and usage are left out: a title comes when the index has it.
 */
export function linesOf(updates: readonly Update[]): string[] {
  const lines: string[] = [];
  let last: unknown;
  for (const update of updates) {
    const { sessionUpdate: kind, messageId, content, status, title, toolCallId } = update;
    const part = `${kind} ${messageId}`;
    if (kind.endsWith("_chunk")) {
      const { text = JSON.stringify(content) } = JSON.parse(JSON.stringify(content));
      const who = kind.replace(/_(message_)?chunk$/, "").replace("agent_thought", "thought");
      if (part === last && messageId !== undefined) lines.push(`${lines.pop()}${text}`);
      else lines.push(`${who} ${text}`);
    } else if (kind === "tool_call") lines.push(`call ${title}`);
    else if (kind === "tool_call_update") lines.push(`${toolCallId} ${status}`);
    else if (kind !== "session_info_update" && kind !== "usage_update") lines.push(kind);
    last = part;
  }
  return lines;
}
