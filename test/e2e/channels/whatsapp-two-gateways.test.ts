import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WhatsAppFake } from "../../fakes/whatsapp.js";
import { workspace } from "../../support/cli/run-cli.js";
import { startServe } from "../../support/cli/serve-process.js";
import { newPostgresAddress } from "../../support/postgres/shared.js";

const JOHN = "15551234567@s.whatsapp.net";

const { path, put, spawned } = workspace();

test("of two gateways one is connected as the WhatsApp device, and the other one takes over when it dies", async () => {
  const fake = await WhatsAppFake.start();
  onTestFinished(() => fake.close());
  fake.linkDevice(join(path("linked"), "channels/whatsapp/default/own"));
  const store = await newPostgresAddress();
  expect((await spawned(["store", "copy", path("linked"), store])).code).toBe(0);
  const settings = { socketUrl: fake.socketUrl, direct: "open" };
  const config = { model: "demo/echo", channels: { whatsapp: { default: settings } } };
  const start = (home: string) => {
    put(`${home}/config.json`, JSON.stringify(config));
    return startServe(path(home), [], { DRAGOMAN_STORE: store });
  };
  const answered = async (text: string) => {
    await fake.says({ chatJid: JOHN, text });
    await fake.until(() => fake.said(JOHN).includes(text));
  };

  const first = await start("first");
  await answered("one");
  const second = await start("second");
  await second.untilLogged('"state":"waiting"');
  await answered("two");
  first.child.kill("SIGKILL");
  await first.ended;
  // It is received by the gateway that takes over.
  await answered("three");
  const third = await start("third");
  await third.untilLogged('"state":"waiting"');
  // A gateway that is stopped leaves the device at once.
  second.child.kill("SIGTERM");
  expect((await second.ended).code).toBe(0);
  await answered("four");
  expect(fake.said(JOHN)).toEqual(["one", "two", "three", "four"]);
  expect(fake.mostOpen).toBe(1);
}, 120_000);
