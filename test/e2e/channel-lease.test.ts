import { expect, test } from "vitest";
import { MemoryStore } from "../../src/log/memory/memory-store.js";
import { openHomeStore } from "../../src/runtime/sessions.js";
import { ChatPlatform, inboundOf } from "../fakes/chat-platform.js";
import { testDesk } from "../fakes/desk.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("two gateways do not share an account", async () => {
  const platform = new ChatPlatform();
  const first = testDesk(platform);
  await platform.say(inboundOf("hi"));
  const second = testDesk(new ChatPlatform(), { home: first.home });
  await expect
    .poll(() => second.desk.status(), { timeout: 20_000 })
    .toMatchObject([{ state: "waiting", why: "this account is already in use by another process" }]);
});

test("a gateway that loses an account's lease disconnects, and connects again when the lease is free", async () => {
  const memory = new MemoryStore();
  const { catalogue } = openHomeStore(temporaryFolder());
  const platform = new ChatPlatform();
  const { desk, noted } = testDesk(platform, { store: Object.assign(memory, { catalogue }) });
  await platform.say(inboundOf("one"));
  expect(await platform.hasShown("7", 1)).toEqual(["one"]);
  const name = "channels/telegram/default";
  memory.leases.revoke(name);
  const other = memory.leases.tryAcquire(name);
  await expect
    .poll(() => desk.status(), { timeout: 20_000 })
    .toMatchObject([{ state: "waiting", why: "this account is already in use by another process" }]);
  expect(noted.filter((line) => line.includes("another process uses this account"))).toHaveLength(1);
  await other?.release();
  await expect.poll(() => desk.status(), { timeout: 20_000 }).toMatchObject([{ state: "connected" }]);
  await platform.say(inboundOf("two"));
  expect(await platform.hasShown("7", 2)).toEqual(["one", "two"]);
});
