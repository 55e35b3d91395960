import { writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { signatureHeaders } from "../../src/channels/webhook/signature.js";
import { type WebhookReceiver, webhookReceiver } from "../fakes/webhook-receiver.js";
import { workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";

const { dragoman, path, put } = workspace();
const SECRET = "0123456789abcdef";

let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await webhookReceiver();
});

function configure(settings: object = {}): void {
  const account = { secret: SECRET, url: receiver.url, ...settings };
  put("home/config.json", JSON.stringify({ model: "demo/echo", channels: { webhook: { crm: account } } }));
}

/** Posts a message, and again while the gateway says that it is too early. */
async function post(url: string, MessageId: string, Text: string, more: object = {}): Promise<Response> {
  const message = { From: "ann", To: "crm", ChatType: "direct", MessageId, Text, ...more };
  const body = new TextEncoder().encode(JSON.stringify(message));
  const headers = { "content-type": "application/json", ...signatureHeaders(SECRET, body, Date.now()) };
  const response = await fetch(`${url}/channels/webhook/crm`, { method: "POST", headers, body });
  return response.status === 503 ? post(url, MessageId, Text, more) : response;
}

/** What was posted to the receiver so far, when it is so many. */
async function answers(count: number): Promise<string[]> {
  await receiver.until(count);
  return receiver.received.map(({ body }) => JSON.parse(body).payload.text);
}

test("everyone who is acknowledged is answered, whatever their ids are", async () => {
  configure({ direct: "open" });
  const { url } = await startServe(path("home"));
  const people = ["Ann Smith", "a:b%20c", "\u2028", "漢".repeat(256)];
  for (const [index, From] of people.entries()) {
    expect((await post(url, String(index), "Hello", { From })).status).toBe(202);
  }
  expect((await post(url, "5", "Hello", { MessageThreadId: "" })).status).toBe(202);
  expect(await answers(5)).toEqual(Array(5).fill("Hello"));
  const refused = await post(url, "6", "Hello", { MessageThreadId: "t".repeat(2000) });
  expect(refused.status).toBe(400);
  expect(((await refused.json()) as { message: string }).message).toContain("is longer than 1024 characters");
  expect((await post(url, "7", "Hello", { From: "\ud800" })).status).toBe(400);
});

test("from a stranger to an owner, while the gateway runs", async () => {
  configure();
  const { url } = await startServe(path("home"));
  expect((await post(url, "1", "Hello?")).status).toBe(202);
  const [told = ""] = await answers(1);
  const [code = ""] = /[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}/.exec(told) ?? [];
  expect((await post(url, "2", "Hello??")).status).toBe(202);

  const home = ["--home", path("home")];
  const removed = await dragoman(["channels", "remove", "webhook/crm", "--files", ...home]);
  expect(removed.stderr).toBe(
    "dragoman: a running gateway uses webhook/crm; stop it and run this command again [log/locked]\n",
  );
  const approved = await dragoman(["channels", "approve", code, "--owner", ...home]);
  expect(approved.stderr).toBe("ann is approved as an owner on webhook/crm and will get answers\n");
  expect((await post(url, "3", "Hello!")).status).toBe(202);
  expect((await answers(2))[1]).toBe("Hello!");
  expect((await post(url, "4", "/help")).status).toBe(202);
  expect((await answers(3))[2]).toMatch(/^\/help: show this list\n\/new: /);

  const status = await dragoman(["channels", "status", "--json", ...home]);
  expect(JSON.parse(status.stdout)).toMatchObject({
    gateway: url,
    channels: [
      {
        channel: "webhook",
        account: "crm",
        state: "connected",
        me: { id: new URL(receiver.url).host },
        ...{ unknown: 0, refused: 0, pairing: 0 },
      },
    ],
  });
  const tokens = await dragoman(["token", "list", "--json", ...home]);
  expect(JSON.parse(tokens.stdout).map(({ name }: { name: string }) => name)).toEqual(["first start"]);
});

test("replays, forgeries and strangers' accounts", async () => {
  configure({ allow: ["ann"] });
  const { url } = await startServe(path("home"));
  const send = () => post(url, "1", "once");
  expect([(await send()).status, (await send()).status]).toEqual([202, 202]);
  expect((await post(url, "2", "twice")).status).toBe(202);
  expect(await answers(2)).toEqual(["once", "twice"]);
  const forged = await fetch(`${url}/channels/webhook/crm`, { method: "POST", body: "{}" });
  expect([forged.status, await forged.json()]).toMatchObject([401, { error: "unauthorized" }]);
  expect((await fetch(`${url}/channels/webhook/other`, { method: "POST", body: "{}" })).status).toBe(404);
});

test("killed while the answer is on its way, it is sent again with the same key", async () => {
  configure({ allow: ["ann"] });
  const first = await startServe(path("home"));
  // Taken, but never acknowledged.
  receiver.answers.push(() => first.child.kill("SIGKILL"));
  await post(first.url, "1", "Hello!");
  await first.ended;
  const second = await startServe(path("home"));
  await post(second.url, "1", "Hello!");
  await post(second.url, "2", "Bye!");
  expect(await answers(3)).toEqual(["Hello!", "Hello!", "Bye!"]);
  const [one, two, three] = receiver.received.map(({ headers }) => headers["idempotency-key"]);
  expect(one).toBe(two);
  expect(three).not.toBe(two);
});

test("a receiver that is busy gets it later", async () => {
  configure({ allow: ["ann"] });
  receiver.answers.push((response) => response.writeHead(503, { "retry-after": "0" }).end());
  const { url } = await startServe(path("home"));
  await post(url, "1", "Hello!");
  expect(await answers(2)).toEqual(["Hello!", "Hello!"]);
});

test("what is refused is counted, with and without a gateway, and the doctor says so", async () => {
  configure({ allow: ["ann"] });
  receiver.answers.push((response) => response.writeHead(410).end());
  const { url, child, ended } = await startServe(path("home"));
  await post(url, "1", "Hello!");
  await post(url, "2", "Bye!");
  expect(await answers(2)).toEqual(["Hello!", "Bye!"]);
  const home = ["--home", path("home")];
  const live = await dragoman(["channels", "status", "--json", ...home]);
  expect(JSON.parse(live.stdout)).toMatchObject({
    gateway: url,
    channels: [{ state: "connected", refused: 1 }],
  });
  child.kill("SIGTERM");
  await ended;
  const later = await dragoman(["channels", "status", "--json", ...home]);
  expect(JSON.parse(later.stdout)).toEqual({
    gateway: null,
    channels: [
      { channel: "webhook", account: "crm", state: "off", unsent: 0, unknown: 0, refused: 1, pairing: 0 },
    ],
  });
  const { stdout } = await dragoman(["doctor", ...home], "", { DRAGOMAN_PORT: "0" });
  expect(stdout).toContain("webhook/crm    1 part of answers rejected by the platform");
});

test("an account that cannot work stops nothing else", async () => {
  configure();
  writeFileSync(
    path("home/config.json"),
    '{"model":"demo/echo","channels":{"webhook":{"crm":{"secret":"short"}}}}',
  );
  const { url, untilLogged } = await startServe(path("home"));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await untilLogged("channel stopped");
  const status = await dragoman(["channels", "status", "--home", path("home")]);
  expect(status.stdout).toBe(
    [
      "ACCOUNT      STATE    WAITING  UNSENT  UNKNOWN  REFUSED  PAIRING",
      "webhook/crm  stopped  0        0       0        0        0        the secret must have at least 16 characters; create one with `openssl rand -hex 32` and use it on both sides",
      "",
    ].join("\n"),
  );
});
