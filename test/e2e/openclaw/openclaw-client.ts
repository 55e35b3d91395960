import {
  createSessionProjection,
  GatewayClient,
  reduceSessionProjection,
  reduceSessionProjectionRunEvent,
  type SessionProjectionState,
} from "@openclaw/gateway-client";
import {
  AgentsListResultSchema,
  ChatEventSchema,
  EventFrameSchema,
  HelloOkSchema,
  ModelsListResultSchema,
} from "@openclaw/gateway-protocol/schema";
import { Ajv } from "ajv";
import { onTestFinished } from "vitest";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";

const ajv = new Ajv({ strict: false });
const schemas = {
  hello: ajv.compile(HelloOkSchema),
  event: ajv.compile(EventFrameSchema),
  chat: ajv.compile(ChatEventSchema),
  agents: ajv.compile(AgentsListResultSchema),
  models: ajv.compile(ModelsListResultSchema),
};

/** Throws if a value is not what OpenClaw's own schema requires. */
export function requireValid(name: keyof typeof schemas, value: unknown): void {
  const check = schemas[name];
  if (check(value)) return;
  throw new Error(`${name}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(value)}`);
}

export interface ReceivedEvent {
  event: string;
  payload: JsonObject;
  seq: number | undefined;
}

export interface ClientOptions {
  url: string;
  token: string;
  scopes?: string[];
}

/** OpenClaw's reference client, with the state that its own clients keep of a session. */
export class OpenClawClient {
  readonly events: ReceivedEvent[] = [];
  readonly gaps: object[] = [];
  hellos = 0;
  /** The text of the turn that is streaming. */
  live = "";
  readonly #client: GatewayClient;
  readonly #listeners = new Set<() => void>();
  #projection: SessionProjectionState = createSessionProjection();

  private constructor(
    { url, token, scopes }: ClientOptions,
    onHello: () => void,
    onRefusal: (e: Error) => void,
  ) {
    this.#client = new GatewayClient({
      url: `${url.replace("http:", "ws:")}/openclaw`,
      token,
      ...(scopes === undefined ? {} : { scopes }),
      minProtocol: 4,
      maxProtocol: 4,
      caps: ["tool-events"],
      onHelloOk: (hello) => {
        requireValid("hello", hello);
        this.hellos++;
        onHello();
        this.#notify();
      },
      onConnectError: onRefusal,
      onGap: (gap) => this.gaps.push(gap),
      onEvent: (frame) => this.#accept(frame),
    });
    onTestFinished(() => this.#client.stop());
    this.#client.start();
  }

  /** Rejected with the gateway's error if the client is not let in. */
  static async connect(options: ClientOptions): Promise<OpenClawClient> {
    let client: OpenClawClient | undefined;
    await new Promise<void>((resolve, reject) => {
      client = new OpenClawClient(options, resolve, reject);
    });
    if (client === undefined) throw new TypeError("not connected");
    return client;
  }

  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.#client.request<JsonObject>(method, params);
  }

  /** Subscribes to a session and reads its history, as OpenClaw's clients do when they open one. */
  async open(key: string): Promise<JsonObject> {
    await this.request("sessions.messages.subscribe", { key });
    const history = await this.request("chat.history", { sessionKey: key });
    const messages = Array.isArray(history["messages"]) ? history["messages"] : [];
    this.#projection = reduceSessionProjection(this.#projection, { type: "snapshotLoaded", messages });
    const { inFlightRun } = history;
    if (isObject(inFlightRun)) this.live = String(inFlightRun["text"]);
    return history;
  }

  stop(): void {
    this.#client.stop();
  }

  send(sessionKey: string, message: string, idempotencyKey: string): Promise<JsonObject> {
    return this.request("chat.send", { sessionKey, message, idempotencyKey });
  }

  /** Fulfilled with the first event that matches, past ones included. */
  async until(isIt: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent> {
    for (;;) {
      const found = this.events.find(isIt);
      if (found !== undefined) return found;
      await this.changed();
    }
  }

  /** Fulfilled with the end of a run. */
  ended(runId: string): Promise<ReceivedEvent> {
    const ends = ["final", "aborted", "error"];
    return this.until(
      ({ event, payload }) =>
        event === "chat" && payload["runId"] === runId && ends.includes(String(payload["state"])),
    );
  }

  changed(): Promise<void> {
    return new Promise((resolve) => {
      const listener = () => {
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  /** The roles and texts that the client shows, in order. */
  get shown(): string[] {
    return this.#projection.messages.map((message) => {
      const { role, content } = isObject(message) ? message : {};
      return `${String(role)}: ${textOf(content)}`;
    });
  }

  /** The text of a run as its deltas add up to. */
  streamed(runId: string): string {
    return this.events.reduce((text, { event, payload }) => {
      if (event !== "chat" || payload["runId"] !== runId || payload["state"] !== "delta") return text;
      return payload["replace"] === true ? String(payload["deltaText"]) : text + String(payload["deltaText"]);
    }, "");
  }

  #accept(frame: { event: string; payload?: unknown; seq?: number }): void {
    requireValid("event", frame);
    const payload = isObject(frame.payload) ? frame.payload : {};
    if (frame.event === "chat") {
      requireValid("chat", payload);
      const next = reduceSessionProjectionRunEvent(this.#projection, payload);
      this.#projection = next?.projection ?? this.#projection;
      const { state, replace, deltaText } = payload;
      if (state === "delta") this.live = `${replace === true ? "" : this.live}${String(deltaText)}`;
    }
    if (frame.event === "session.message") {
      const { message, ...envelope } = payload;
      const event = { type: "messagePersisted" as const, message, envelope };
      this.#projection = reduceSessionProjection(this.#projection, event);
      if (isObject(message) && message["role"] === "assistant") this.live = "";
    }
    this.events.push({ event: frame.event, payload, seq: frame.seq });
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  return blocks
    .flatMap((block) => (isObject(block) && block["type"] === "text" ? [String(block["text"])] : []))
    .join("");
}

/** The text of a message in an event. */
export function textIn({ payload }: ReceivedEvent): string {
  const { message } = payload;
  return textOf(isObject(message) ? message["content"] : undefined);
}
