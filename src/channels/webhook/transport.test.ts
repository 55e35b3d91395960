import { expect, test } from "vitest";
import { webhookReceiver } from "../../../test/fakes/webhook-receiver.js";
import { valuesIn } from "../../../test/support/values-in.js";
import type { ChannelState, Inbound, Media, SendError } from "../types.js";
import { webhook } from "./index.js";
import type { Settings } from "./settings.js";
import { signatureHeaders } from "./signature.js";
import { verify } from "./verify.js";

const secret = "a secret of 20 chars";
const NOW = 1_740_000_000_000;
const place = { kind: "direct", chat: "ann" } as const;
const request = { native: { payload: { text: "hi" } } };

interface Given extends Settings {
  receive?: (inbound: Inbound) => Promise<void>;
  media?: () => Promise<Media>;
}

async function open({ receive = async () => undefined, media = noMedia, ...settings }: Given = {}) {
  const states: ChannelState[] = [];
  const transport = await webhook.open({
    settings: { secret, ...settings },
    values: () => valuesIn(),
    receive,
    choose: async () => "",
    onState: (state) => states.push(state),
    people: async () => [],
    onUnread: () => undefined,
    media,
    fetch,
    now: () => NOW,
  });
  return { transport, states };
}

async function noMedia(): Promise<Media> {
  throw new Error("there is no file");
}

const message = { From: "ann", To: "crm", ChatType: "direct", MessageId: "1", Text: "hi" };

function posted(value: unknown, now = NOW) {
  const body = new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
  return { method: "POST", headers: signatureHeaders(secret, body, now), body };
}

test("a message is acknowledged when it is stored", async () => {
  const stored: string[] = [];
  let store = () => {};
  const receive = (inbound: Inbound) =>
    new Promise<void>((resolve) => {
      store = () => {
        stored.push(inbound.id);
        resolve();
      };
    });
  const { transport, states } = await open({ receive });
  const reply = transport.webhook?.(posted(message)).then((one) => ({ ...one, stored: [...stored] }));
  store();
  expect(await reply).toEqual({ status: 202, json: { status: "accepted", MessageId: "1" }, stored: ["1"] });
  expect(states).toEqual([{ state: "connected", me: { id: "webhook" } }]);
});

test("one that cannot be stored is not acknowledged", async () => {
  const { transport } = await open({ receive: () => Promise.reject(new Error("the disk is full")) });
  await expect(transport.webhook?.(posted(message))).rejects.toThrow("the disk is full");
});

test.each([
  ["without a signature", { ...posted(message), headers: {} }, 401, "unauthorized"],
  ["from long ago", posted(message, NOW - 301_000), 401, "unauthorized"],
  ["with another method", { ...posted(message), method: "GET" }, 405, "invalid_request"],
  ["that is no JSON", posted("{"), 400, "invalid_request"],
  ["that is no text", { ...posted(message), ...badBytes() }, 400, "invalid_request"],
  ["without a sender", posted({ ...message, From: undefined }), 400, "invalid_request"],
])("one %s is refused, and never stored", async (_, given, status, error) => {
  const stored: Inbound[] = [];
  const { transport } = await open({ receive: async (inbound) => void stored.push(inbound) });
  const reply = await transport.webhook?.(given);
  expect(reply).toMatchObject({ status, json: { error } });
  expect(JSON.stringify(reply)).not.toContain(secret);
  expect(stored).toEqual([]);
});

function badBytes() {
  const body = Uint8Array.of(0xff, 0xfe);
  return { body, headers: signatureHeaders(secret, body, NOW) };
}

test("an answer is posted, signed, with a key that says which one it is", async () => {
  const receiver = await webhookReceiver();
  const { transport } = await open({ url: receiver.url });
  expect(await transport.send(place, request, "k1")).toEqual({ id: "k1" });
  const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
  expect(JSON.parse(body)).toEqual({
    id: "k1",
    place: { kind: "direct", chat: "ann" },
    payload: { text: "hi" },
  });
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "idempotency-key": "k1",
    "x-dragoman-timestamp": "1740000000",
  });
  expect(headers["x-dragoman-signature"]).toBe(
    signatureHeaders(secret, new TextEncoder().encode(body), NOW)["x-dragoman-signature"],
  );
});

test.each<[string, number, Record<string, string>, Partial<SendError>]>([
  ["too many", 429, { "retry-after": "7" }, { fate: "later", afterMs: 7000 }],
  ["busy", 503, { "retry-after": "Wed, 19 Feb 2025 21:20:05 GMT" }, { fate: "later", afterMs: 5000 }],
  ["broken", 500, {}, { fate: "later", afterMs: undefined }],
  ["bad", 400, {}, { fate: "refused" }],
  ["gone", 410, {}, { fate: "refused" }],
  ["elsewhere", 307, { location: "https://elsewhere.example/" }, { fate: "refused" }],
])("%s: %d", async (_, status, headers, expected) => {
  const receiver = await webhookReceiver();
  receiver.answers.push((response) => response.writeHead(status, headers).end("no"));
  const { transport } = await open({ url: receiver.url });
  const error = await transport.send(place, request, "k1").catch((reason) => reason);
  expect(error).toMatchObject(expected);
  expect(error.message).toBe(`${new URL(receiver.url).host} replied with HTTP ${status}`);
  expect(receiver.received).toHaveLength(1);
});

test("an answer that was lost on the way back is sent again with the same key", async () => {
  const receiver = await webhookReceiver();
  receiver.answers.push((response) => response.destroy());
  const { transport } = await open({ url: receiver.url });
  await expect(transport.send(place, request, "k1")).rejects.toMatchObject({ fate: "later" });
  await transport.send(place, request, "k1");
  expect(receiver.received.map(({ headers }) => headers["idempotency-key"])).toEqual(["k1", "k1"]);
});

test("closing ends what is under way", async () => {
  const receiver = await webhookReceiver();
  const { transport } = await open({ url: receiver.url });
  receiver.answers.push(() => void transport.close());
  await expect(transport.send(place, request, "k1")).rejects.toMatchObject({ fate: "later" });
});

test("a file of ours goes with it; one that is not there is said", async () => {
  const receiver = await webhookReceiver();
  const media = async () => ({ bytes: Uint8Array.of(1, 2, 3), mimeType: "image/png", name: "a.png" });
  const { transport } = await open({ url: receiver.url, media });
  await transport.send(place, { native: { payload: {} }, mediaUrl: "file:a.png" }, "k1");
  expect(JSON.parse(receiver.received[0]?.body ?? "")["attachments"]).toEqual([
    { url: "data:image/png;base64,AQID", mimeType: "image/png", name: "a.png" },
  ]);
  const other = await open({ url: receiver.url });
  await expect(
    other.transport.send(place, { native: { payload: {} }, mediaUrl: "file:b.png" }, "k2"),
  ).rejects.toMatchObject({ fate: "refused", message: "could not send the file: there is no file" });
});

test("without an address nothing can be sent", async () => {
  const { transport } = await open();
  await expect(transport.send(place, request, "k1")).rejects.toMatchObject({ fate: "refused" });
});

test("files come from data URLs, and from hosts that are named", async () => {
  const { transport } = await open({ mediaHosts: ["cdn.example"] });
  const file = (handle: string) => transport.fetch({ kind: "document", handle, name: "a" }, 5);
  expect(await file("data:text/plain;base64,aGVsbG8=")).toEqual({ bytes: Buffer.from("hello") });
  await expect(file("data:text/plain;base64,aGVsbG8h")).rejects.toMatchObject({
    code: "channel/file-too-large",
  });
  await expect(file(`data:text/plain,${"x".repeat(99)}`)).rejects.toMatchObject({
    code: "channel/file-too-large",
  });
  await expect(file("https://elsewhere.example/a")).rejects.toMatchObject({
    code: "channel/no-file",
    message: "downloads from elsewhere.example are not allowed",
  });
  await expect(file("https://cdn.example.evil.example/a")).rejects.toMatchObject({ code: "channel/no-file" });
});

test.each([
  [{ secret: undefined }, "the secret must have at least 16 characters"],
  [{ secret: "short" }, "the secret must have at least 16 characters"],
  [{ secret, url: "crm.example" }, "the url is not usable"],
  [{ secret, url: "file:///tmp/x" }, "the url is not usable"],
  [{ secret, url: "https://me:hunter2@crm.example/" }, "the url is not usable"],
])("%j is refused in words without the secret", async (settings, message) => {
  const { secret: given, ...rest } = settings;
  const opened = webhook.open({
    settings: { ...(given === undefined ? {} : { secret: given }), ...rest },
    values: () => valuesIn(),
    receive: async () => undefined,
    choose: async () => "",
    onState: () => undefined,
    people: async () => [],
    onUnread: () => undefined,
    media: noMedia,
    fetch,
    now: () => NOW,
  });
  await expect(opened).rejects.toMatchObject({ code: "channel/bad-settings", message });
});

test("a test posts something that says so", async () => {
  const receiver = await webhookReceiver();
  expect(await verify({ secret, url: receiver.url }, fetch)).toEqual({ id: new URL(receiver.url).host });
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toEqual({ id: expect.any(String), test: true });
});
