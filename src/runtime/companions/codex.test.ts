import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Loss } from "../../core/types.js";
import { codexCompanions } from "./codex.js";

const OLD = "0199aaaa-1111-7222-8333-444455556666";
const MIDDLE = "0199bbbb-1111-7222-8333-444455556666";
const NEW = "0199cccc-1111-7222-8333-444455556666";

function meta(id: string, base?: object): string {
  const payload = { id, ...(base === undefined ? {} : { history_base: base }) };
  return `${JSON.stringify({ type: "session_meta", payload })}\n`;
}

function item(text: string): string {
  return `${JSON.stringify({ type: "response_item", payload: { text } })}\n`;
}

function write(home: string, name: string, text: string): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function joined(path: string): Promise<{ text: string; missing: Loss[] }> {
  const chunks: Uint8Array[] = [];
  const missing: Loss[] = [];
  for await (const chunk of codexCompanions.join(path, (loss) => missing.push(loss))) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString("utf8"), missing };
}

test("a fork begins with what it shares with its base, and with the base of that", async () => {
  const home = temporaryFolder();
  const old = meta(OLD) + item("one") + item("two");
  write(home, `archived_sessions/rollout-2026-01-01T10-00-00-${OLD}.jsonl`, old + item("not shared"));
  const middle = meta(MIDDLE, { thread_id: OLD, end_byte_offset: old.length }) + item("three");
  write(home, `sessions/2026/01/02/rollout-2026-01-02T10-00-00-${MIDDLE}.jsonl`, middle + item("not shared"));
  const fork = meta(NEW, { thread_id: MIDDLE, end_byte_offset: middle.length }) + item("four");
  const path = write(home, `sessions/2026/01/03/rollout-2026-01-03T10-00-00-${NEW}.jsonl`, fork);
  expect(await joined(path)).toEqual({
    text: meta(NEW) + item("one") + item("two") + item("three") + item("four"),
    missing: [],
  });
});

test("a session without a base is as it is in its file", async () => {
  const text = meta(NEW) + item("one") + meta(OLD) + item("two");
  const path = write(temporaryFolder(), `sessions/2026/01/03/rollout-2026-01-03T10-00-00-${NEW}.jsonl`, text);
  expect(await joined(path)).toEqual({ text, missing: [] });
});

test.each([OLD, NEW])("a base that is missing, or the session itself, is a loss", async (thread) => {
  const text = meta(NEW, { thread_id: thread, end_byte_offset: 100 }) + item("one");
  const path = write(temporaryFolder(), `sessions/2026/01/03/rollout-2026-01-03T10-00-00-${NEW}.jsonl`, text);
  expect(await joined(path)).toEqual({
    text: meta(NEW) + item("one"),
    missing: [
      {
        at: "/0",
        what: `the messages before the fork of ${thread}`,
        why: "its file is missing",
        severity: "dropped",
        of: "message",
      },
    ],
  });
});
