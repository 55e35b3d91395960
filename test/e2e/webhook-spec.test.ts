import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import type { Inbound, Transport } from "../../src/channels/types.js";
import { webhook } from "../../src/channels/webhook/index.js";
import { verify } from "../../src/channels/webhook/verify.js";
import { run } from "../support/cli/run-cli.js";
import { valuesIn } from "../support/values-in.js";

const page = readFileSync(new URL("../../docs/spec/webhook-channel.md", import.meta.url), "utf8");
const SECRET = "0123456789abcdef0123456789abcdef";

function block(language: string, beginning: string): string {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))];
  const found = blocks.find(([, code = ""]) => code.startsWith(beginning));
  return found?.[1] ?? "";
}

function open(url: string | undefined, receive: (inbound: Inbound) => Promise<void>): Promise<Transport> {
  return webhook.open({
    settings: { secret: SECRET, ...(url === undefined ? {} : { url }) },
    values: () => valuesIn(),
    receive,
    choose: async () => "",
    onState: () => undefined,
    people: async () => [],
    onUnread: () => undefined,
    media: () => Promise.reject(new Error("there is no file")),
    fetch,
    now: Date.now,
  });
}

const missing = ["curl", "openssl"].filter((tool) => spawnSync(tool, ["version"]).error !== undefined);
if (missing.length > 0) process.stderr.write(`skipped: the page's script needs ${missing.join(" and ")}\n`);

test.skipIf(missing.length > 0)("the page's script sends what is accepted", async () => {
  const received: Inbound[] = [];
  const transport = await open(undefined, async (inbound) => void received.push(inbound));
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = Buffer.concat(chunks);
    const reply = await transport.webhook?.({ method: request.method ?? "", headers, body });
    response.writeHead(reply?.status ?? 404).end(JSON.stringify(reply?.json));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const GATEWAY = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const script = block("sh", "# send.sh");
  const sent = (secret: string) =>
    run("sh", ["-c", script, "send.sh", "Grüße!"], { env: { ...process.env, SECRET: secret, GATEWAY } });

  const { stdout } = await sent(SECRET);
  expect(JSON.parse(stdout)).toEqual({ status: "accepted", MessageId: received[0]?.id });
  expect(received.map(({ sender, place, message }) => ({ sender, place, text: message.Text }))).toEqual([
    { sender: { id: "ann" }, place: { kind: "direct", chat: "ann" }, text: "Grüße!" },
  ]);
  expect(JSON.parse((await sent("another secret, wrong")).stdout)).toEqual({
    error: "unauthorized",
    message: "the signature is wrong",
  });
});

test("the page's receiver takes an answer once, and nothing that is not signed", async () => {
  const { child, lines } = receiver();
  onTestFinished(() => void child.kill());
  const port = (await lines.next()).replace("listening on ", "");
  const url = `http://127.0.0.1:${port}/`;
  const transport = await open(url, async () => undefined);
  const place = { kind: "direct", chat: "ann" } as const;
  const say = (text: string, key: string) => transport.send(place, { native: { payload: { text } } }, key);
  expect(await verify({ secret: SECRET, url }, fetch)).toEqual({ id: `127.0.0.1:${port}` });
  await say("Hello!", "1");
  await say("Hello!", "1");
  await say("Bye!", "2");
  expect([await lines.next(), await lines.next()]).toEqual(["to ann: Hello!", "to ann: Bye!"]);
  await expect(verify({ secret: "another secret, wrong", url }, fetch)).rejects.toMatchObject({
    code: "channel/refused",
  });
});

function receiver(): { child: ChildProcess; lines: { next(): Promise<string> } } {
  const child = spawn(process.execPath, ["--input-type=module", "-e", block("js", "import")], {
    env: { ...process.env, SECRET, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const iterator = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, lines: { next: async () => String((await iterator.next()).value) } };
}
