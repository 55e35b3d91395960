import { readFile, writeFile } from "node:fs/promises";
import { beforeEach } from "vitest";
import { discord } from "../../src/channels/discord/index.js";
import { type FakeMessage, type RateLimit, startDiscordGateway } from "../fakes/discord-gateway.js";
import { type ChannelSession, openSession, type SessionOptions } from "./channel-session.js";
import { folderForEachTest } from "./temporary-folder.js";

export const SERVER = "3";
export const CHANNEL = "30";
export const THREAD = "31";
export const DM = "77";
export const OTHER_DM = "78";

const folder = folderForEachTest();
/** Discord, anew for every test. */
export let fake: Awaited<ReturnType<typeof startDiscordGateway>>;
let opened: ChannelSession<unknown>[];

export async function start(limit?: RateLimit): Promise<void> {
  fake = await startDiscordGateway(limit === undefined ? {} : { limit });
  fake.addChannel({ id: CHANNEL, type: 0, guild_id: SERVER, parent_id: "9" });
  fake.addChannel({ id: THREAD, type: 11, guild_id: SERVER, parent_id: CHANNEL });
  fake.addChannel({ id: DM, type: 1 });
  fake.addChannel({ id: OTHER_DM, type: 1 });
}

beforeEach(async () => {
  opened = [];
  await start();
  return async () => {
    await Promise.all(opened.map(({ transport }) => transport.close()));
    await fake.stop();
  };
});

/** What the last process left. */
export const remember = (channels: object) =>
  writeFile(folder("last-messages.json"), JSON.stringify(channels));
export const remembered = async (): Promise<unknown> =>
  JSON.parse(await readFile(folder("last-messages.json"), "utf8"));

/** Connects up to the point where Discord would send READY. */
export async function connect(options: SessionOptions = {}): Promise<ChannelSession<unknown>> {
  const before = fake.identifies();
  const session = await openSession(discord, fake.settings, { folder: folder(), ...options });
  opened.push(session);
  await fake.until(() => fake.identifies() > before);
  return session;
}

export const said = (
  channel_id: string,
  id: number | string,
  more: Partial<FakeMessage> = {},
): FakeMessage => ({
  id: String(id),
  channel_id,
  content: `m${id}`,
  ...more,
});

/** Each message as `direct 77: m5`, in the order it was received. */
export const seen = ({ inbound }: ChannelSession<unknown>) =>
  inbound.map(
    ({ place: { kind, chat, thread }, message }) =>
      `${kind} ${chat}${thread === undefined ? "" : `/${thread}`}: ${message.Text}`,
  );
