import { readlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { ChatPlatform, inboundOf } from "../../../test/fakes/chat-platform.js";
import { testDesk } from "../../../test/fakes/desk.js";
import { canRecordSteps } from "../../../test/support/durable-steps.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";

/**
 * The appends to journals and sessions from here on, by the kinds of their records. Those of `together` reach the disk only
 * when all of them are on their way: if one waited for another, none would.
 */
async function recordAppends(folder: string, together: readonly string[]): Promise<string[]> {
  const appends: string[] = [];
  let allBegun: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    allBegun = resolve;
  });
  const any = await open(folder, "r");
  const handles: FileHandle = Object.getPrototypeOf(any);
  await any.close();
  const { write } = handles;
  vi.spyOn(handles, "write").mockImplementation(async function (
    this: FileHandle,
    ...args: Parameters<typeof write>
  ) {
    const kinds = kindsIn(args[0], readlinkSync(`/proc/self/fd/${this.fd}`));
    if (kinds !== undefined) appends.push(kinds);
    if (together.every((one) => appends.includes(one))) allBegun();
    if (kinds !== undefined && together.includes(kinds)) await begun;
    return write.apply(this, args);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return appends;
}

/** Undefined if the bytes are not lines of a journal or a session. */
function kindsIn(bytes: unknown, path: string): string | undefined {
  if (!(bytes instanceof Uint8Array) || !/\.jsonl$/.test(path)) return undefined;
  const lines = Buffer.from(bytes).toString().trim().split("\n");
  const records: { type?: string; role?: string; state?: string }[] = lines.map((line) => JSON.parse(line));
  return records.map(({ type, role, state }) => state ?? type ?? role).join(", ");
}

test.skipIf(!canRecordSteps)("appends of a message that need not wait for each other do not", async () => {
  const platform = new ChatPlatform();
  const home = temporaryFolder();
  const { runtime } = testDesk(platform, { home });
  await platform.say(inboundOf("hello"));
  await platform.hasShown("7", 1);
  // No answer is pending, so the next message begins like any other.
  const settled = async () => (await runtime.store.due.list()).length === 0;
  await vi.waitUntil(settled);
  const appends = await recordAppends(home, ["batch", "follow"]);
  await platform.say(inboundOf("hello again"));
  await platform.hasShown("7", 2);
  expect(appends[0]).toBe("in");
  expect(appends.slice(1, 3).sort()).toEqual(["batch", "follow"]);
  expect(appends.filter((kinds) => ["user", "assistant", "answer, sending"].includes(kinds))).toEqual([
    "user",
    "assistant",
    // One append: the chat was idle, so that its first part is sent at once.
    "answer, sending",
  ]);
});
