import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDiscordServer } from "@openclaw/crabline";
import { newId } from "../../src/core/ids.js";
import { isObject } from "../../src/core/json/value.js";
import { discordDirectChannelId } from "../node_modules/@openclaw/crabline/dist/src/servers/discord.js";

export type Fault = "too-many" | "lost" | "broken";

const MESSAGES = /^\/api\/v10\/channels\/\d+\/messages$/;

/**
 * Crabline's Discord, with the rules it leaves out in front of it: 2,000 characters, nothing empty, a nonce that is taken once,
 * and failures by request.
 */
export async function startDiscord() {
  const inner = await startDiscordServer({ recorderPath: join(tmpdir(), `crabline-${newId()}.jsonl`) });
  const { manifest } = inner;
  const target = new URL(manifest.baseUrl);
  const faults: Fault[] = [];
  /** The answers that were given to a nonce. */
  const taken = new Map<string, string>();
  /** How many messages the bot has asked to be sent. */
  let asked = 0;
  let garbled = false;

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request);
    const isMessage = request.method === "POST" && MESSAGES.test(request.url ?? "");
    if (!isMessage) return relay(request, response, body);
    asked++;
    const fault = faults.shift();
    if (fault === "too-many")
      return say(
        response,
        429,
        { message: "You are being rate limited.", retry_after: 3, global: false },
        { "retry-after": "3" },
      );
    if (fault === "broken") return say(response, 500, { message: "500: Internal Server Error", code: 0 });
    const payload = payloadOf(body.toString("latin1"));
    const problem = problemOf(payload);
    if (problem !== undefined)
      return say(response, 400, {
        message: "Invalid Form Body",
        code: 50035,
        errors: { content: { _errors: [problem] } },
      });
    const nonce = payload["enforce_nonce"] === true ? String(payload["nonce"]) : undefined;
    const before = nonce === undefined ? undefined : taken.get(nonce);
    if (before !== undefined) return say(response, 200, JSON.parse(before));
    const reply = await forward(request, body);
    if (nonce !== undefined && reply.ok) taken.set(nonce, await reply.clone().text());
    if (fault === "lost") response.destroy();
    else say(response, reply.status, await reply.json());
  }

  async function forward(request: IncomingMessage, body: Buffer): Promise<Response> {
    const { "content-type": type, authorization } = request.headers;
    return fetch(new URL(request.url ?? "/", target), {
      method: request.method ?? "GET",
      headers: { ...(type !== undefined && { "content-type": type }), authorization: authorization ?? "" },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
  }

  async function relay(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const reply = await forward(request, body);
    const type = reply.headers.get("content-type");
    if (garbled && request.method === "GET" && MESSAGES.test(request.url?.replace(/\?.*/, "") ?? "")) {
      const page: unknown = await reply.json();
      const messages = Array.isArray(page) ? page : [];
      return say(
        response,
        reply.status,
        messages.map((message) => ({ ...message, content: 5 })),
      );
    }
    response.writeHead(reply.status, type === null ? {} : { "content-type": type });
    response.end(Buffer.from(await reply.arrayBuffer()));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = isObject(address) ? address["port"] : undefined;
  const botId = manifest.botUserId;

  return {
    manifest,
    apiRoot: `http://127.0.0.1:${port}/api`,
    directOf: (person: string) => discordDirectChannelId(botId, person),
    asked: () => asked,
    failNext: (fault: Fault) => faults.push(fault),
    /** From here on it lists messages whose words are none. */
    garble: () => {
      garbled = true;
    },
    /** A bot sends a file, since crabline takes none from people. Fulfilled with its address. */
    async upload(file: Uint8Array): Promise<string> {
      const form = new FormData();
      form.set("payload_json", JSON.stringify({ content: "", attachments: [{ id: 0, filename: "a.png" }] }));
      form.set("files[0]", new Blob([Uint8Array.from(file)], { type: "image/png" }), "a.png");
      const url = new URL(`/api/v10/channels/${manifest.fixture.channelId}/messages`, target);
      const headers = { authorization: `Bot ${manifest.driverBotToken}` };
      const { attachments } = Object(
        await (await fetch(url, { method: "POST", headers, body: form })).json(),
      );
      return Object(attachments[0]).url;
    },
    /** Somebody says it. Fulfilled with the message's id. */
    async says(fields: Record<string, unknown>): Promise<string> {
      const reply = await fetch(manifest.endpoints.adminInboundUrl, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${manifest.adminToken}` },
        body: JSON.stringify(fields),
      });
      const { message } = Object(await reply.json());
      if (!isObject(message) || typeof message["id"] !== "string")
        throw new Error(`crabline answered ${reply.status}`);
      return message["id"];
    },
    /** What the bot has said in a channel, oldest first. */
    async said(channel: string): Promise<string[]> {
      const said: string[] = [];
      for (let after = "10000000000000000"; ; ) {
        const url = new URL(`/api/v10/channels/${channel}/messages?limit=100&after=${after}`, target);
        const reply = await fetch(url, { headers: { authorization: `Bot ${manifest.botToken}` } });
        const page: unknown = await reply.json();
        if (!Array.isArray(page) || page.length === 0) return said;
        for (const { id, author, content } of page.reverse()) {
          if (author.id === botId) said.push(content);
          after = id;
        }
        if (page.length < 100) return said;
      }
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await inner.close();
    },
  };
}

function say(
  response: ServerResponse,
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(json));
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** The message of a request, which stands in a part of its own when files come with it. */
function payloadOf(body: string): Record<string, unknown> {
  const part = /name="payload_json"[^{]*(\{[^\r]*\})\r\n/.exec(body)?.[1];
  const value: unknown = JSON.parse(Buffer.from(part ?? body, "latin1").toString());
  const message = isObject(value) ? value : {};
  return part === undefined ? message : { ...message, files: true };
}

function problemOf({
  content,
  nonce,
  files,
}: Record<string, unknown>): { code: string; message: string } | undefined {
  const text = typeof content === "string" ? content : "";
  if (text.length > 2000) {
    return { code: "BASE_TYPE_MAX_LENGTH", message: "Must be 2000 or fewer in length." };
  }
  if (text.trim() === "" && files !== true)
    return { code: "BASE_TYPE_REQUIRED", message: "Cannot send an empty message" };
  if (typeof nonce === "string" && nonce.length > 25)
    return { code: "NONCE_TYPE_LENGTH_INVALID", message: "nonce" };
  return undefined;
}
