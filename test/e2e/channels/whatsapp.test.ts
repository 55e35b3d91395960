import { beforeEach, expect, onTestFinished, test } from "vitest";
import { whatsapp } from "../../../src/channels/whatsapp/index.js";
import { WhatsAppFake } from "../../fakes/whatsapp.js";
import { failureOf, openSession, type SessionOptions } from "../../support/channel-session.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const JOHN = "15551234567@s.whatsapp.net";
const direct = { kind: "direct", chat: JOHN } as const;
let fake: WhatsAppFake;
let folder: string;

beforeEach(async () => {
  fake = await WhatsAppFake.start();
  folder = temporaryFolder();
  fake.linkDevice(folder);
  return () => fake.close();
});

async function connect(options: SessionOptions = {}) {
  const session = await openSession(whatsapp, { socketUrl: fake.socketUrl }, { folder, ...options });
  onTestFinished(() => session.transport.close());
  await session.until(() => session.states.at(-1)?.state === "connected");
  return session;
}

const hello = { native: { text: "Hello" } };

test("in a group, somebody speaks", async () => {
  const { inbound, until } = await connect();
  await fake.says({ chatJid: "12345678@g.us", senderJid: JOHN, pushName: "John", text: "Hi all" });
  await until(() => inbound.length === 1);
  expect(inbound[0]).toMatchObject({
    message: { From: JOHN, ChatType: "group", Text: "Hi all", ChatId: "12345678@g.us" },
    place: { kind: "group", chat: "12345678@g.us" },
    sender: { id: JOHN, name: "John" },
    addressed: false,
  });
});

test("audio is fetched and decrypted, also by another process", async () => {
  const { inbound, until } = await connect();
  const contentBase64 = Buffer.from("OggS and so on").toString("base64");
  await fake.says({ chatJid: JOHN, audio: { contentBase64, mimeType: "audio/ogg", ptt: true } });
  await until(() => inbound.length === 1);
  const [attachment] = inbound[0]?.attachments ?? [];
  if (attachment === undefined) throw new Error("no attachment");
  expect(attachment).toMatchObject({ kind: "audio", mimeType: "audio/ogg", bytes: 14 });
  // Crabline's files are beside its socket, not behind the wire.
  const direct = { socketUrl: fake.manifest.endpoints.baileysWebSocketUrl };
  const other = temporaryFolder();
  fake.linkDevice(other);
  const { transport } = await openSession(whatsapp, direct, { folder: other });
  onTestFinished(() => transport.close());
  const { bytes } = await transport.fetch(attachment, 14);
  expect(Buffer.from(bytes).toString()).toBe("OggS and so on");
  await expect(transport.fetch(attachment, 13)).rejects.toMatchObject({ code: "channel/file-too-large" });
});

test("a lost connection comes back, and what was said meanwhile arrives", async () => {
  const { inbound, until, states, transport } = await connect();
  await fake.stop();
  await until(() => states.at(-1)?.state === "waiting");
  expect((await failureOf(transport.send(direct, hello, "k"))).fate).toBe("later");
  await fake.says({ chatJid: JOHN, text: "Anybody there?" });
  await fake.resume();
  await until(() => inbound.length === 1 && states.at(-1)?.state === "connected");
  await transport.send(direct, hello, "k");
  expect([inbound[0]?.message.Text, fake.said(JOHN)]).toEqual(["Anybody there?", ["Hello"]]);
});

test("a message has an id of its own, and the same one when it is sent again", async () => {
  const { transport } = await connect();
  const first = await transport.send(direct, hello, "one");
  const again = await transport.send(direct, hello, "one");
  const second = await transport.send(direct, hello, "two");
  expect([again.id, first.id === second.id]).toEqual([first.id, false]);
  expect(first.id).toMatch(/^3EB0[0-9A-F]{18}$/);
  expect(fake.ids()).toEqual([first.id, second.id]);
});

test("what was answered is shown as read, and nothing else is", async () => {
  const { transport, inbound, until } = await connect();
  const id = await fake.says({ chatJid: JOHN, text: "Hi" });
  await fake.says({ chatJid: "15557654321@s.whatsapp.net", text: "Hi" });
  await until(() => inbound.length === 2);
  await transport.send(direct, hello, "one");
  await fake.until(() => fake.read.length > 0);
  await transport.send(direct, hello, "two");
  expect(fake.read).toEqual([id]);
});

test("a send that is on its way when the channel closes has an unknown fate", async () => {
  const { transport } = await connect();
  fake.failNext("silent");
  const sent = failureOf(transport.send(direct, hello, "one"));
  await fake.until(() => fake.said(JOHN).length === 1);
  await transport.close();
  expect((await sent).fate).toBe("unknown");
});
