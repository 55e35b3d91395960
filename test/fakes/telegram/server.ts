import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { CallbackQueries } from "./buttons.js";
import { type Chat, Chats } from "./chats.js";
import { Files } from "./files.js";
import { type Method, methods, type World } from "./methods.js";
import { type Parameters, readParameters } from "./parameters.js";
import { Refused } from "./refusal.js";
import { Updates } from "./updates.js";
import { Webhook } from "./webhook.js";

/**
 * What happens to one call, instead of what should.
 * - `drop`: it is done, and the line breaks before the answer.
 * - `cut`: the line breaks before it is done.
 * - a status: it is not done.
 */
export type Fault = "drop" | "cut" | { status: number; description?: string; retryAfter?: number };

export interface Call {
  method: string;
  fields: Parameters["fields"];
}

const BOT_ID = 987654321;

/** A Bot API on a port of its own that refuses what the real one refuses, and remembers what people see. */
export class TelegramFake implements World {
  readonly token: string;
  readonly bot: { id: number; is_bot: true; first_name: string; username: string };
  readonly chats = new Chats();
  readonly files = new Files();
  readonly updates = new Updates();
  readonly webhook = new Webhook(this.updates);
  readonly queries = new CallbackQueries();
  /** Every call of a method that exists, as it came. */
  readonly calls: Call[] = [];
  readonly #faults = new Map<string, Fault[]>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #port = 0;

  private constructor(id: number) {
    this.token = `${id}:AAE-strict_fake-of-the-Bot-API-000000`;
    this.bot = { id, is_bot: true, first_name: "Claw", username: "claw_bot" };
  }

  static async start(id = BOT_ID): Promise<TelegramFake> {
    const fake = new TelegramFake(id);
    await fake.listen();
    return fake;
  }

  get apiRoot(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Also after `stop`, on the port it had. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (typeof address === "object" && address !== null) this.#port = address.port;
  }

  /** Nobody answers any more. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async close(): Promise<void> {
    await this.webhook.close();
    await this.stop();
  }

  /** What happens to the next calls of a method, one after the other. */
  fail(method: string, ...faults: Fault[]): void {
    this.#faults.set(method, [...(this.#faults.get(method) ?? []), ...faults]);
  }

  /** Somebody says something, in their direct chat unless another is given. Returns the message's number. */
  says(text: string | undefined, { kind = "message", from = 123456789, ...fields }: Said = {}): number {
    const chat = fields.chat ?? { id: from, type: "private" };
    this.chats.add(chat);
    const { id } = this.chats.show(chat.id, { by: "people", text: text ?? "", entities: [] });
    const { topics: _, ...shown } = chat;
    this.updates.push(kind, {
      message_id: id,
      from: { id: from, is_bot: false, first_name: "John" },
      date: 1234567890,
      ...(text !== undefined && { text }),
      ...fields,
      chat: shown,
    });
    return id;
  }

  /** A user presses a button with this title, or sends other data as a changed client can. */
  presses(title: string, { chat = 123456789, from = chat, data }: Pressed = {}): void {
    const message = this.chats.seen(chat).findLast(({ buttons }) => buttons !== undefined);
    const button = message?.buttons?.find(({ text }) => text === title);
    if (message === undefined || button === undefined) throw new Error(`there is no button ${title}`);
    const { topics: _, ...shown } = this.chats.target(chat);
    this.updates.push("callback_query", {
      id: this.queries.begin(),
      from: { id: from, is_bot: false, first_name: "John" },
      chat_instance: "1",
      data: data ?? button.data,
      message: { message_id: message.id, date: 1234567890, from: this.bot, chat: shown, text: message.text },
    });
  }

  /** What the bot has said in a chat, oldest first. */
  said(chat: number): string[] {
    return this.chats
      .seen(chat)
      .filter(({ by }) => by === "bot")
      .map(({ text }) => text);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const [, file, token, rest = ""] = /^(\/file)?\/bot([^/]*)\/(.*)$/.exec(request.url ?? "") ?? [];
    try {
      if (!/^\d+:/.test(token ?? "")) throw new Refused("Not Found", 404);
      if (token !== this.token) throw new Refused("Unauthorized", 401);
      if (file !== undefined) return this.#hand(response, rest);
      const result = await this.#call(rest, await readParameters(request), gone.signal);
      if (result === BROKEN) response.destroy();
      else answer(response, 200, { ok: true, result });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, message, parameters } = error;
      answer(response, status, {
        ok: false,
        error_code: status,
        description: message,
        ...(parameters !== undefined && { parameters }),
      });
    }
  }

  #hand(response: ServerResponse, path: string): void {
    const bytes = this.files.at(path);
    if (bytes === undefined) throw new Refused("Not Found", 404);
    // Without a length, so that who reads has to count.
    response.writeHead(200).end(bytes);
  }

  async #call(name: string, parameters: Parameters, gone: AbortSignal): Promise<unknown> {
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (method === undefined) throw new Refused("Not Found: method not found", 404);
    this.calls.push({ method: name, fields: parameters.fields });
    const result = this.#run(name, method, parameters, gone);
    this.chats.changed();
    return result;
  }

  async #run(name: string, method: Method, parameters: Parameters, gone: AbortSignal): Promise<unknown> {
    const unknown = Object.keys(parameters.fields).find((field) => !method.takes.includes(field));
    if (unknown !== undefined) throw new Refused(`Bad Request: ${name} has no parameter ${unknown}`);
    const fault = this.#faults.get(name)?.shift();
    if (fault === "cut") return BROKEN;
    if (typeof fault === "object") throw failing(fault);
    const result = await method.call(this, parameters, gone);
    return fault === "drop" ? BROKEN : result;
  }
}

const BROKEN = Symbol("broken");

interface Pressed {
  chat?: number;
  from?: number;
  data?: string;
}

interface Said {
  kind?: "message" | "edited_message" | "channel_post" | "edited_channel_post";
  from?: number;
  chat?: Chat;
  [field: string]: unknown;
}

function failing({
  status,
  description = "Internal Server Error",
  retryAfter,
}: Extract<Fault, object>): Refused {
  if (retryAfter === undefined) return new Refused(description, status);
  return new Refused(`Too Many Requests: retry after ${retryAfter}`, status, { retry_after: retryAfter });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
