import { WebSocket } from "ws";
import { connectDragoman, type DragomanClient } from "../../src/client/index.js";
import type { AgentMessage } from "../../src/core/types.js";
import { type TimbalMessage, TimbalReceiver } from "../../src/dialects/timbal/index.js";
import { readSse } from "../../src/framing/sse.js";

export interface Address {
  url: string;
  token: string;
}

/** Lost connections are made again as quickly as a test wants it. */
const HASTE_MS = 20;
const hasty = {
  random: Math.random,
  after(_ms: number, callback: () => void) {
    const timer = setTimeout(callback, HASTE_MS);
    return () => clearTimeout(timer);
  },
};

export function connectRpc({ url, token }: Address): Promise<DragomanClient> {
  return connectDragoman({ url: `${url.replace(/^http/, "ws")}/rpc`, token, WebSocket, world: hasty });
}

/** Something that changes, and those who wait until it is as they want it. */
export class Changing {
  readonly #looking = new Set<() => void>();

  changed(): void {
    for (const look of [...this.#looking]) look();
  }

  until(fits: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!fits()) return;
        this.#looking.delete(look);
        resolve();
      };
      this.#looking.add(look);
      look();
    });
  }
}

const EVENTS_KEPT = 40;
const EVENT_LENGTH = 200;

/** The messages of a session as somebody has them who watches it over `/rpc` from its beginning. */
export class RpcWatcher extends Changing {
  readonly messages: AgentMessage[] = [];
  /** What was wrong with what was told. */
  readonly problems: string[] = [];
  opened = 0;
  lost = 0;
  failure: unknown;
  /** The text of the answer that is streaming. */
  live = "";
  /** The last events, for the description of a problem. */
  readonly #events: string[] = [];

  constructor(client: DragomanClient, sessionKey: string) {
    super();
    void this.#watch(client, sessionKey).catch((error: unknown) => {
      this.failure = error;
    });
  }

  /** The last events, as lines. */
  get recent(): string {
    return this.#events.join("\n");
  }

  async #watch(client: DragomanClient, sessionKey: string): Promise<void> {
    for await (const event of client.watch(sessionKey, { after: 0 })) {
      this.#events.push(JSON.stringify(event).slice(0, EVENT_LENGTH));
      if (this.#events.length > EVENTS_KEPT) this.#events.shift();
      if (event.type === "connection" && event.state === "open") this.opened++;
      if (event.type === "connection" && event.state === "lost") this.lost++;
      if (event.type === "run_end") this.live = "";
      if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") {
        this.live += event.assistantMessageEvent.delta;
      }
      if (event.type === "message") this.#store(event.message);
      this.changed();
    }
  }

  #store(message: AgentMessage): void {
    this.messages.push(message);
    if (message.role !== "assistant") return;
    const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    // Of an answer that was cut, more may have been shown than was kept.
    const fits =
      message.stopReason === "error"
        ? this.live.startsWith(text) || text.startsWith(this.live)
        : text.startsWith(this.live);
    if (!fits) {
      this.problems.push(`${JSON.stringify(this.live)} led to ${JSON.stringify(text)} after\n${this.recent}`);
    }
    this.live = "";
  }
}

/** A Timbal client that keeps what it has when its connection is lost, and goes on from its last cursor. */
export class TimbalFollower extends Changing {
  readonly receiver = new TimbalReceiver();
  readonly closes: number[] = [];
  readonly #address: Address;
  readonly #thread: string;
  #after: string | undefined;
  #socket: WebSocket | undefined;
  #left = false;

  constructor(address: Address, thread: string) {
    super();
    this.#address = address;
    this.#thread = thread;
    this.#connect();
  }

  get values(): Pick<TimbalMessage, "i" | "state" | "value">[] {
    return this.receiver.messages().map(({ i, state, value }) => ({ i, state, value }));
  }

  /** Up to here it has everything; undefined before anything has come. */
  get cursor(): string | undefined {
    return this.#after;
  }

  leave(): void {
    this.#left = true;
    this.#socket?.close();
  }

  #connect(): void {
    if (this.#left) return;
    const { url, token } = this.#address;
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/v1/threads/${this.#thread}/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    this.#socket = socket;
    socket.on("error", () => undefined);
    socket.on("open", () => {
      const after = this.#after === undefined ? {} : { after: this.#after };
      socket.send(JSON.stringify({ c: "sync", ...after }));
    });
    socket.on("message", (data) => {
      const frame: { c?: string; after?: string } = JSON.parse(String(data));
      if (frame.c === "cursor") this.#after = frame.after;
      this.receiver.receive(frame);
      this.changed();
    });
    socket.on("close", (code) => {
      this.closes.push(code);
      this.changed();
      setTimeout(() => this.#connect(), HASTE_MS);
    });
  }
}

/** Asks until the server has answered, whatever happens to it meanwhile: the key makes it the same request. */
export async function insist<T>(request: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    // What `fetch` throws is a lost connection.
    const answer = await request().catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
      return undefined;
    });
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, HASTE_MS));
  }
}

export function postJson(
  { url, token }: Address,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** What an agent said over `/v1/chat/completions`, and whether it came to its end. */
export interface Completion {
  text: string;
  failed: boolean;
}

/** Asks an agent in a session of its own. `onAccepted` is called when it is certain that it was heard. */
export async function complete(
  address: Address,
  session: string,
  idempotencyKey: string,
  content: string,
  onAccepted: () => void = () => undefined,
): Promise<Completion | undefined> {
  const response = await postJson(
    address,
    "/v1/chat/completions",
    { model: "agent/main", stream: true, messages: [{ role: "user", content }] },
    { "x-dragoman-session": session, "idempotency-key": idempotencyKey },
  );
  if (response.status === 503 || response.body === null) return undefined;
  onAccepted();
  if (!response.ok) return { text: "", failed: true };
  const completion = { text: "", failed: false };
  let ended = false;
  for await (const { data } of readSse(response.body)) {
    if (data === "[DONE]") ended = true;
    else {
      const { choices = [], error } = JSON.parse(data);
      completion.text += choices[0]?.delta?.content ?? "";
      completion.failed ||= error !== undefined;
    }
  }
  return ended || completion.failed ? completion : undefined;
}
