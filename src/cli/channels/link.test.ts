import { expect, test } from "vitest";
import { valuesIn } from "../../../test/support/values-in.js";
import type { Channel, ChannelState } from "../../channels/types.js";
import { link } from "./link.js";

/** A platform that goes through these states when it is opened. */
function platform(states: ChannelState[]): { channel: Channel<{ name: string }>; closed: () => boolean } {
  let closed = false;
  const channel: Channel<{ name: string }> = {
    title: "WhatsApp",
    traits: { debounceMs: 0, mostBytes: 0 },
    packages: [],
    nativeForm: "nothing",
    normalise: () => ({ why: "it says nothing" }),
    outgoing: () => [],
    open: async ({ onState }) => {
      queueMicrotask(() => states.forEach(onState));
      return {
        send: () => Promise.reject(new Error("not here")),
        fetch: () => Promise.reject(new Error("not here")),
        close: async () => {
          closed = true;
        },
      };
    },
  };
  return { channel, closed: () => closed };
}

test("each code is shown until the account is linked; then it is closed", async () => {
  const { channel, closed } = platform([
    { state: "connecting" },
    { state: "pairing", code: "one" },
    { state: "pairing", code: "two" },
    { state: "waiting", why: "the connection is made again" },
    { state: "connected", me: { id: "49151@s.whatsapp.net" } },
  ]);
  const shown: string[] = [];
  const me = await link(channel, {
    settings: { name: "x" },
    values: () => valuesIn(),
    show: (code) => shown.push(code),
  });
  expect([me, shown, closed()]).toEqual([{ id: "49151@s.whatsapp.net" }, ["one", "two"], true]);
});

test("one that stops is closed too, and says why", async () => {
  const { channel, closed } = platform([
    { state: "stopped", why: "nobody scanned the code", hint: "try again" },
  ]);
  await expect(
    link(channel, { settings: { name: "x" }, values: () => valuesIn(), show: () => undefined }),
  ).rejects.toMatchObject({ code: "channel/refused", message: "nobody scanned the code", hint: "try again" });
  expect(closed()).toBe(true);
});
