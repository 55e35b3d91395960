import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Fault, TelegramFake } from "../../fakes/telegram/server.js";
import { startServe } from "../../support/cli/serve-process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const JOHN = 123456789;

interface Stage {
  name: string;
  fault?: Fault;
  /** Fulfilled when it is time to kill. */
  reached(fake: TelegramFake, home: string): Promise<void>;
}

const sends = (fake: TelegramFake) => fake.calls.filter(({ method }) => method === "sendMessage").length;

const stages: readonly Stage[] = [
  { name: "before it was told anything", reached: async () => {} },
  {
    name: "when it has confirmed the message",
    reached: (fake) => fake.chats.until(() => fake.updates.unconfirmed.length === 0),
  },
  {
    name: "while it waits to send again",
    fault: { status: 429, retryAfter: 30 },
    reached: async (_, home) => {
      const outbox = () => readFileSync(join(home, "channels/telegram/default/outbox.jsonl"), "utf8");
      // That the session is settled may be told before it or after it.
      const parts = () => outbox().match(/^\{"type":"part".*$/gm);
      await expect.poll(() => parts()?.at(-1), { timeout: 30_000 }).toContain('"state":"pending"');
    },
  },
  {
    name: "when its answer was taken, and it does not know",
    fault: "drop",
    reached: (fake) => fake.chats.until(() => sends(fake) > 0),
  },
  { name: "when it has answered", reached: (fake) => fake.chats.until(() => sends(fake) > 0) },
];

test("a gateway that is killed at every stage loses nothing and says nothing twice", async () => {
  const fake = await TelegramFake.start();
  onTestFinished(() => fake.close());
  const home = temporaryFolder();
  const account = { apiRoot: fake.apiRoot, direct: "open" };
  const config = { model: "demo/echo", channels: { telegram: { default: account } } };
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const serve = () => startServe(home, [], { DRAGOMAN_TELEGRAM_TOKEN: fake.token });

  const asked: string[] = [];
  let logs = "";
  for (const { name, fault, reached } of stages) {
    const { child, ended } = await serve();
    await fake.chats.until(() => fake.said(JOHN).length >= asked.length);
    const text = `${asked.length + 1}: killed ${name}`;
    asked.push(text);
    fake.calls.length = 0;
    if (fault !== undefined) fake.fail("sendMessage", fault);
    fake.says(text);
    await reached(fake, home);
    child.kill("SIGKILL");
    logs += (await ended).stderr;
  }
  const last = await serve();
  await fake.chats.until(() => fake.said(JOHN).length >= asked.length);
  fake.says("the end");
  await fake.chats.until(() => fake.said(JOHN).includes("the end"));
  expect(fake.said(JOHN)).toEqual([...asked, "the end"]);
  last.child.kill("SIGTERM");
  const { code, stderr } = await last.ended;
  expect(code).toBe(0);
  expect(logs + stderr).not.toContain("AAE-strict");
});
