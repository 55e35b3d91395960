import { expect, test } from "vitest";
import { ChatPlatform, inboundOf } from "../../../../test/fakes/chat-platform.js";
import { testDesk } from "../../../../test/fakes/desk.js";

test("the files of a message are fetched one at a time, because each is in memory as a whole", async () => {
  const platform = new ChatPlatform();
  const fetches: string[] = [];
  platform.beforeFile = async (handle) => {
    fetches.push(`${handle} begins`);
    // Time enough for another to begin.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    fetches.push(`${handle} ends`);
  };
  testDesk(platform);
  const attachments = ["one", "two", "three"].map((handle) => ({ kind: "document", handle }) as const);
  for (const { handle } of attachments) platform.files.set(handle, Buffer.from(handle));
  await platform.say(inboundOf("look", { attachments }));
  await platform.hasShown("7", 1);
  expect(fetches).toEqual(["one begins", "one ends", "two begins", "two ends", "three begins", "three ends"]);
});
