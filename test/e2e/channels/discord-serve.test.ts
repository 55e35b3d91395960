import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { startDiscord } from "../../fakes/discord.js";
import { startServe } from "../../support/cli/serve-process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const PERSON = "123456789012345678";

let fake: Awaited<ReturnType<typeof startDiscord>>;
let home: string;

beforeEach(async () => {
  fake = await startDiscord();
  home = temporaryFolder();
  const account = { token: fake.manifest.botToken, apiRoot: fake.apiRoot, direct: "open" };
  await mkdir(home, { recursive: true });
  await writeFile(
    join(home, "config.json"),
    JSON.stringify({ channels: { discord: { default: account } } }),
    {
      mode: 0o600,
    },
  );
  return () => fake.stop();
});

const chat = () => fake.directOf(PERSON);
const says = (content: string) =>
  fake.says({ channelId: chat(), senderId: PERSON, senderName: "Ann", content });
const answers = () => expect.poll(() => fake.said(chat()), { timeout: 30_000 });

/** What the outbox knows last of something that it sent. */
async function lastFate(): Promise<string> {
  const text = await readFile(join(home, "channels", "discord", "default", "outbox.jsonl"), "utf8");
  return [...text.matchAll(/"type":"part".*"state":"(\w+)"/g)].at(-1)?.[1] ?? "";
}

/** Serves with a model that repeats what it is told, and is connected. */
async function serve() {
  const process = await startServe(home, ["--model", "demo/echo"]);
  const metrics = async () => {
    const headers = { authorization: `Bearer ${process.token}` };
    return (await fetch(`${process.url}/metrics`, { headers })).text();
  };
  await expect.poll(metrics, { timeout: 30_000 }).toContain("dragoman_channel_connected 1");
  return process;
}

test("a message in, an answer out; killed on the way, nothing is lost and nothing said twice", async () => {
  const first = await serve();
  await says("one");
  await answers().toEqual(["one"]);

  // The answer is made and cannot be sent yet: here the process dies, and somebody goes on talking.
  fake.failNext("too-many");
  await says("two");
  await expect.poll(lastFate, { timeout: 30_000 }).toBe("pending");
  first.child.kill("SIGKILL");
  await first.ended;
  await says("three");

  await serve();
  await answers().toEqual(["one", "two", "three"]);
});

test("in a channel it answers when it is mentioned, and knows what was said before", async () => {
  const { guildId, channelId } = fake.manifest.fixture;
  const account = { token: fake.manifest.botToken, apiRoot: fake.apiRoot, allowGroups: [channelId] };
  await writeFile(join(home, "config.json"), JSON.stringify({ channels: { discord: { default: account } } }));
  await serve();
  const inChannel = (content: string) => fake.says({ guildId, channelId, senderId: PERSON, content });
  await inChannel("nobody is meant");
  await inChannel(`<@${fake.manifest.botUserId}> hello`);
  await expect
    .poll(() => fake.said(channelId), { timeout: 30_000 })
    .toEqual([expect.stringMatching(/"text":"nobody is meant"[\s\S]*\n@crabline hello$/)]);
});
