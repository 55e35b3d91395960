import { expect, test } from "vitest";
import { ChatPlatform, inboundOf } from "../../fakes/chat-platform.js";
import { testDesk } from "../../fakes/desk.js";

const bob = { place: { kind: "direct", chat: "8" }, sender: { id: "8", name: "Bob" } } as const;

test("somebody who is linked on another account is not linked on this one, and it is told", async () => {
  const platform = new ChatPlatform();
  const { runtime, noted } = testDesk(platform, {
    identities: { ann: ["telegram/work:7"], bob: ["telegram:8"] },
  });
  await platform.say(inboundOf("mine"));
  await platform.say(inboundOf("yours", bob));
  await Promise.all([platform.hasShown("7", 1), platform.hasShown("8", 1)]);
  const found = ["telegram:dm:7", "person:dm:ann", "person:dm:bob"].map((key) =>
    runtime.log.find(`agent:main:${key}`),
  );
  expect((await Promise.all(found)).map((id) => id !== undefined)).toEqual([true, false, true]);
  expect(noted[0]).toBe(
    '{"identity":"telegram/work:7","text":"identity does not match an account: write it as platform/account:id"}',
  );
});
