import { REST } from "@discordjs/rest";
import { beforeEach, expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { valuesIn } from "../../../test/support/values-in.js";
import { ChannelStream, type Live } from "./channel-stream.js";
import { History, type Listed } from "./history.js";
import { Memory } from "./memory.js";

const CHANNEL = "30";
const folder = folderForEachTest();

let memory: Memory;
let history: History;
/** What was done, in order: `deliver 5`, `page after 4`. */
let done: string[];
let pages: (() => Promise<Listed[]>)[];

beforeEach(async () => {
  memory = await Memory.load(valuesIn(folder()));
  const { signal } = new AbortController();
  history = new History(new REST(), signal);
  [done, pages] = [[], []];
  history.page = async (_, after) => {
    done.push(`page after ${after}`);
    return (await pages.shift()?.()) ?? [];
  };
  return () => memory.save();
});

const live = (id: number, isEdit = false): Live => ({
  message: { id: String(id), guild_id: "3", ...(isEdit && { edited_timestamp: "2026-01-02" }) },
  isEdit,
});

/** Runs a stream until nothing waits any more. */
async function run(use: (stream: ChannelStream) => void) {
  await new Promise<void>((onIdle) => {
    const stream = new ChannelStream({
      ...{ channel: CHANNEL, memory, history, signal: new AbortController().signal, onIdle },
      confirm: async (where) => where,
      where: async () => ({ kind: "server", server: "3" }),
      deliver: async ({ id }) => void done.push(`deliver ${id}, ${memory.last(CHANNEL)} is remembered`),
      onTrouble: (why) => void done.push(`trouble: ${why}`),
      onUnread: (why) => void done.push(`unread: ${why}`),
    });
    use(stream);
  });
}

test("where a channel begins is on disk before its first message is received, and that only then is remembered", async () => {
  const save = memory.save.bind(memory);
  memory.save = async () => {
    await save();
    done.push("saved");
  };
  await run((stream) => stream.push(live(5)));
  expect(done).toEqual(["saved", "deliver 5, 4 is remembered"]);
  expect(memory.last(CHANNEL)).toBe("5");
});

test("an edit says nothing of which messages were received", async () => {
  memory.record(CHANNEL, "5");
  await run((stream) => stream.push(live(9, true)));
  expect(done).toEqual(["deliver 9, 5 is remembered"]);
  expect(memory.last(CHANNEL)).toBe("5");
});

test("an edit that a page has shown is not received again, and a later one is", async () => {
  memory.record(CHANNEL, "5");
  pages = [async () => [{ id: "6", edited_timestamp: "2026-01-02" }]];
  await run((stream) => {
    stream.fillGap();
    stream.push(live(6, true));
    stream.push({ message: { id: "6", edited_timestamp: "2026-01-03" }, isEdit: true });
  });
  expect(done).toEqual(["page after 5", "deliver 6, 5 is remembered", "deliver 6, 6 is remembered"]);
});

test.each([
  [200, []],
  [201, ["page after 5"]],
])("of %d live messages, those beyond 200 are asked for", async (count, asked) => {
  memory.record(CHANNEL, "5");
  await run((stream) => {
    for (let n = 0; n < count; n++) stream.push(live(6 + n));
  });
  expect(done.filter((one) => one.startsWith("page"))).toEqual(asked);
});

test("live messages that find no room while a page is asked for are asked for after it", async () => {
  memory.record(CHANNEL, "5");
  await run((stream) => {
    pages = [
      async () => {
        for (let n = 0; n < 201; n++) stream.push(live(6 + n));
        return [];
      },
    ];
    stream.fillGap();
  });
  expect(done.filter((one) => one.startsWith("page"))).toEqual(["page after 5", "page after 5"]);
});
