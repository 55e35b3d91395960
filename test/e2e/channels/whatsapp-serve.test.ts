import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WhatsAppFake } from "../../fakes/whatsapp.js";
import { startServe } from "../../support/cli/serve-process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const JOHN = "15551234567@s.whatsapp.net";

interface Stage {
  name: string;
  fault?: "lost" | "silent";
  /** Fulfilled when it is time to kill. */
  reached(fake: WhatsAppFake, account: string, text: string): Promise<void>;
}

const answered: Stage["reached"] = (fake, _, text) => fake.until(() => fake.said(JOHN).includes(text));

const stages: readonly Stage[] = [
  {
    name: "when it has stored the message",
    reached: async (_, account, text) => {
      const inbox = () => readFileSync(join(account, "inbox.jsonl"), "utf8");
      await expect.poll(inbox, { timeout: 30_000, interval: 5 }).toContain(text);
    },
  },
  { name: "when its answer was taken, and its connection lost", fault: "lost", reached: answered },
  { name: "when its answer was taken, and it waits to hear so", fault: "silent", reached: answered },
  { name: "when it has answered", reached: answered },
];

test("a gateway that is killed at every stage loses nothing and says nothing twice", async () => {
  const fake = await WhatsAppFake.start();
  onTestFinished(() => fake.close());
  const home = temporaryFolder();
  const account = join(home, "channels/whatsapp/default");
  fake.linkDevice(join(account, "own"));
  const settings = { socketUrl: fake.socketUrl, direct: "open" };
  const config = { model: "demo/echo", channels: { whatsapp: { default: settings } } };
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });

  const asked = ["0: said before anybody listened"];
  await fake.says({ chatJid: JOHN, text: asked[0] });
  let logs = "";
  for (const { name, fault, reached } of stages) {
    const { child, ended } = await startServe(home);
    await fake.until(() => fake.said(JOHN).length >= asked.length);
    const text = `${asked.length}: killed ${name}`;
    asked.push(text);
    if (fault !== undefined) fake.failNext(fault);
    await fake.says({ chatJid: JOHN, text });
    await reached(fake, account, text);
    child.kill("SIGKILL");
    logs += (await ended).stderr;
  }
  const last = await startServe(home);
  await fake.until(() => fake.said(JOHN).length >= asked.length);
  await fake.says({ chatJid: JOHN, text: "the end" });
  await fake.until(() => fake.said(JOHN).includes("the end"));
  expect(fake.said(JOHN)).toEqual([...asked, "the end"]);
  last.child.kill("SIGTERM");
  const { code, stderr } = await last.ended;
  expect(code).toBe(0);
  expect(logs + stderr).not.toContain(fake.manifest.accessToken);
});
