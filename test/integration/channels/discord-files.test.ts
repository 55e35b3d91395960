import { beforeEach, expect, test } from "vitest";
import { discord } from "../../../src/channels/discord/index.js";
import { startDiscord } from "../../fakes/discord.js";
import { type ChannelSession, openSession } from "../../support/channel-session.js";

const PERSON = "123456789012345678";
const PNG = Buffer.from("\x89PNG\r\n\x1a\n and so on", "latin1");

let fake: Awaited<ReturnType<typeof startDiscord>>;
let session: ChannelSession<{ content: string }>;

beforeEach(async () => {
  fake = await startDiscord();
  const { botToken } = fake.manifest;
  const media = async () => ({ bytes: PNG, mimeType: "image/png", name: "cat.png" });
  session = await openSession(discord, { token: botToken, apiRoot: fake.apiRoot }, { media });
  await session.until(() => session.states.at(-1)?.state === "connected");
  return async () => {
    await session.transport.close();
    await fake.stop();
  };
});

test("a file is fetched when it is asked for, and not when it is too large", async () => {
  const handle = await fake.upload(PNG);
  const { bytes } = await session.transport.fetch({ kind: "image", handle }, 18);
  expect(Buffer.from(bytes).toString("latin1")).toBe("\x89PNG\r\n\x1a\n and so on");
  const tooLarge = { code: "channel/file-too-large" };
  await expect(session.transport.fetch({ kind: "image", handle }, 17)).rejects.toMatchObject(tooLarge);
  await expect(session.transport.fetch({ kind: "image", handle, bytes: 18 }, 17)).rejects.toMatchObject(
    tooLarge,
  );
});

test.each([
  "http://169.254.169.254/latest",
  "https://evil.example/a.png",
  "file:///etc/passwd",
  "http://cdn.discordapp.com/a",
])("%s is not Discord's, and not fetched", async (handle) => {
  await expect(session.transport.fetch({ kind: "image", handle }, 18)).rejects.toMatchObject({
    code: "channel/no-file",
    message: "could not download the file: it is not on Discord's servers",
  });
});

test("a file goes with its words", async () => {
  const place = { kind: "channel", chat: fake.manifest.fixture.channelId } as const;
  const [part] = discord.outgoing({ text: "A cat", mediaUrl: "media:cat.png" }, place);
  if (part === undefined) throw new Error("nothing to send");
  await session.transport.send(place, { ...part, native: { content: "A cat" } }, "key");
  expect(await fake.said(place.chat)).toEqual(["A cat"]);
});

test("what may have been taken is sent again at once, and taken once", async () => {
  const chat = fake.directOf(PERSON);
  await fake.says({ channelId: chat, senderId: PERSON, content: "Hi" });
  fake.failNext("lost");
  await session.transport.send({ kind: "direct", chat }, { native: { content: "Hello" } }, "key");
  expect([fake.asked(), await fake.said(chat)]).toEqual([2, ["Hello"]]);
});

test("what is lost twice is unknown", async () => {
  const chat = fake.directOf(PERSON);
  await fake.says({ channelId: chat, senderId: PERSON, content: "Hi" });
  fake.failNext("broken");
  fake.failNext("broken");
  const sending = session.transport.send({ kind: "direct", chat }, { native: { content: "Hello" } }, "key");
  await expect(sending).rejects.toMatchObject({ fate: "unknown" });
});
