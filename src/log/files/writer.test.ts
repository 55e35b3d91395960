import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { DragomanError } from "../../core/error.js";
import type { AgentMessage } from "../../core/types.js";
import type { SessionLog } from "../types.js";
import * as folder from "./folder.js";
import { HomeLog } from "./home.js";
import type { LogFile, OpenFile } from "./writer.js";

const path = folderForEachTest();
const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });
const sessionFile = ({ id }: SessionLog) => path("agents", "main", "sessions", `${id}.jsonl`);

async function texts(session: SessionLog): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const { message } of session.read()) if ("content" in message) list.push(message.content);
  return list;
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: it failed`), { code, syscall: "write" });
}

interface Fault {
  /** `synced write`: the bytes are in the file, and the disk has failed to store them. */
  call: "write" | "synced write" | "datasync" | "truncate";
  /** Which of these calls fails, counted from 1. */
  at: number;
  code: string;
  /** How many bytes of the failing write are written all the same. */
  written?: number;
}

/** Opens files that fail where it is told. After a short write the next one fails. */
function failing(faults: Fault[], calls: string[] = []): OpenFile {
  const counts = { write: 0, "synced write": 0, datasync: 0, truncate: 0 };
  const writesAreSynced = faults.some(({ call }) => call === "synced write");
  const due = (call: Fault["call"]): Fault | undefined => {
    counts[call] += 1;
    calls.push(call);
    return faults.find((fault) => fault.call === call && fault.at === counts[call]);
  };
  const wrap = (file: FileHandle): LogFile => {
    const write = file.write.bind(file);
    const datasync = file.datasync.bind(file);
    const truncate = file.truncate.bind(file);
    return Object.assign(file, {
      writesAreSynced,
      async write(bytes: Uint8Array, offset: number, length: number) {
        const fault = due(writesAreSynced ? "synced write" : "write");
        if (fault === undefined) return write(bytes, offset, length);
        if (fault.call === "synced write") {
          await write(bytes, offset, length);
          throw failure(fault.code);
        }
        if (fault.written === undefined) throw failure(fault.code);
        faults.push({ call: "write", at: counts.write + 1, code: fault.code });
        return write(bytes, offset, Math.min(fault.written, length));
      },
      async datasync() {
        const fault = due("datasync");
        if (fault !== undefined) throw failure(fault.code);
        await datasync();
      },
      async truncate(length: number) {
        const fault = due("truncate");
        if (fault !== undefined) throw failure(fault.code);
        await truncate(length);
      },
    });
  };
  return async (file, flags) => wrap(await open(file, flags));
}

describe("a disk that fails", () => {
  test.each<[Omit<Fault, "at">, string]>([
    [{ call: "write", code: "ENOSPC" }, "log/disk-full"],
    [{ call: "write", code: "ENOSPC", written: 1 }, "log/disk-full"],
    [{ call: "write", code: "ENOSPC", written: 60 }, "log/disk-full"],
    [{ call: "write", code: "EDQUOT", written: 100 }, "log/disk-full"],
    [{ call: "write", code: "EROFS" }, "log/read-only"],
    [{ call: "write", code: "EIO", written: 10 }, "log/write-failed"],
    [{ call: "synced write", code: "EIO" }, "log/write-failed"],
    [{ call: "datasync", code: "EIO" }, "log/write-failed"],
    [{ call: "datasync", code: "ENOSPC" }, "log/disk-full"],
  ])("%j is %s; nothing of the append stays, and the next one works", async (fault, code) => {
    for (let at = 1; at <= 3; at++) {
      const log = new HomeLog(path(), { openFile: failing([{ ...fault, at }]) });
      const session = await log.create({ agent: "main" });
      const stored: string[] = [];
      const refused: unknown[] = [];
      for (const text of ["a", "b", "c", "d"]) {
        await session.append([user(`${text}1`), user(`${text}2`)]).then(
          () => stored.push(`${text}1`, `${text}2`),
          (error) => refused.push(error.code),
        );
        expect(await texts(session)).toEqual(stored);
      }
      expect(refused).toEqual([code]);
      expect(stored).toHaveLength(6);
      await session.close();
    }
  });

  test.each(["write", "synced write", "datasync"] as const)(
    "after a failed %s the file is opened again, for it is not to be trusted",
    async (call) => {
      const opened = failing([{ call, at: 2, code: "EIO" }]);
      let [opens, closes] = [0, 0];
      const openFile: OpenFile = async (file, flags) => {
        const handle = await opened(file, flags);
        opens++;
        const close = handle.close.bind(handle);
        return Object.assign(handle, {
          close() {
            closes++;
            return close();
          },
        });
      };
      const session = await new HomeLog(path(), { openFile }).create({ agent: "main" });
      await session.append([user("a")]);
      expect([opens, closes]).toEqual([1, 0]);
      await expect(session.append([user("b")])).rejects.toMatchObject({ code: "log/write-failed" });
      expect([opens, closes]).toEqual([1, 1]);
      await session.append([user("c")]);
      expect([opens, closes]).toEqual([2, 1]);
      await session.close();
    },
  );

  test("everybody who was waiting is told", async () => {
    const log = new HomeLog(path(), { openFile: failing([{ call: "datasync", at: 1, code: "ENOSPC" }]) });
    const session = await log.create({ agent: "main" });
    const results = await Promise.allSettled(["a", "b", "c"].map((text) => session.append([user(text)])));
    expect(results).toMatchObject(Array(3).fill({ status: "rejected", reason: { code: "log/disk-full" } }));
    await session.append([user("d")]);
    expect(await texts(session)).toEqual(["d"]);
    await session.close();
  });

  test("what cannot be taken back is told, and set aside", async () => {
    const faults: Fault[] = [
      { call: "write", at: 1, code: "EIO", written: 30 },
      { call: "truncate", at: 1, code: "EIO" },
    ];
    const aside: number[] = [];
    const log = new HomeLog(path(), {
      openFile: failing(faults),
      onRecovery: ({ bytes }) => aside.push(bytes),
    });
    const session = await log.create({ agent: "main" });
    await expect(session.append([user("a")])).rejects.toMatchObject({
      code: "log/write-failed",
      message: expect.stringContaining("rolling back failed"),
    });
    await session.append([user("b")]);
    expect(await texts(session)).toEqual(["b"]);
    expect(aside).toEqual([30]);
    await session.close();
  });
});

test("appends that wait while the disk is busy go out together", async () => {
  const calls: string[] = [];
  const log = new HomeLog(path(), { openFile: failing([], calls) });
  const session = await log.create({ agent: "main" });
  const first = session.append([user("first")]);
  const rest = first.then(() => undefined);
  const more = Array.from({ length: 50 }, (_, index) => session.append([user(`${index}`)]));
  await Promise.all([rest, ...more]);
  expect(calls).toEqual(["write", "datasync"]);
  await Promise.all([session.append([user("x")]), Promise.resolve().then(() => session.append([user("y")]))]);
  expect(await texts(session)).toHaveLength(53);
  await session.close();
});

test("nobody in this process reads what may have to be taken back", async () => {
  const seen: unknown[][] = [];
  let session: SessionLog | undefined;
  const openFile: OpenFile = async (file, flags) => {
    const handle = await open(file, flags);
    const datasync = handle.datasync.bind(handle);
    return Object.assign(handle, {
      async datasync() {
        if (session !== undefined) {
          seen.push(
            await texts(session),
            (await session.last(1)).map(({ message }) => message.role),
          );
          seen.push([(await session.end()) === (await session.last(1))[0]?.next]);
        }
        await datasync();
      },
    });
  };
  session = await new HomeLog(path(), { openFile }).create({ agent: "main" });
  await session.append([user("a")]);
  expect(seen).toEqual([[], ["session"], [true]]);
  expect(await texts(session)).toEqual(["a"]);
  await session.close();
});

describe("a file that others change", () => {
  async function opened(): Promise<SessionLog> {
    const session = await new HomeLog(path()).create({ agent: "main" });
    await session.append([user("a")]);
    return session;
  }

  test.each<[string, string, (file: string) => void]>([
    ["deleted", "log/deleted", (file) => rmSync(file)],
    [
      "replaced by another",
      "log/replaced",
      (file) => {
        writeFileSync(path("other"), '{"role":"session","timestamp":1}\n');
        renameSync(path("other"), file);
      },
    ],
    ["made shorter", "log/replaced", (file) => truncateSync(file, 10)],
  ])("%s is %s, every time", async (_, code, change) => {
    const session = await opened();
    change(sessionFile(session));
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(session.append([user("b")])).rejects.toMatchObject({ code });
    }
    await session.close();
  });

  test("replaced before the first append", async () => {
    const log = new HomeLog(path());
    const session = await log.create({ agent: "main" });
    writeFileSync(path("other"), '{"role":"session","id":"x","timestamp":1}\n');
    renameSync(path("other"), sessionFile(session));
    await expect(session.append([user("b")])).rejects.toMatchObject({ code: "log/replaced" });
    const again = await log.open(session.id);
    await again.append([user("c")]);
    expect(await texts(again)).toEqual(["c"]);
    await session.close();
    await again.close();
  });

  test("a tail ends when its file is deleted", async () => {
    const session = await opened();
    const { signal } = new AbortController();
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const { message } of session.tail({ signal })) {
        read.push(message.role);
        if (read.length === 2) rmSync(sessionFile(session));
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "log/deleted" });
    expect(read).toEqual(["session", "user"]);
    await session.close();
  });

  test("a line that another program appended is kept, and counts for expect", async () => {
    const session = await opened();
    const end = await session.end();
    appendFileSync(sessionFile(session), '{"role":"user","content":"theirs","timestamp":1}\n');
    const error: unknown = await session.append([user("b")], { expect: end }).catch((reason) => reason);
    expect(error).toBeInstanceOf(DragomanError);
    expect(error).toMatchObject({ code: "log/moved", details: { end: await session.end() } });
    await session.append([user("c")]);
    expect(await texts(session)).toEqual(["a", "theirs", "c"]);
    await session.close();
  });
});

describe("a session that nobody has used for a while", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Opens a session, appends to it, lets half a minute pass, and tells which files are open by then. */
  async function unused(): Promise<{ session: SessionLog; open: Set<FileHandle> }> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const files = new Set<FileHandle>();
    const home = new HomeLog(path(), {
      openFile: async (file, flags) => {
        const handle = await open(file, flags);
        const close = handle.close.bind(handle);
        files.add(handle);
        return Object.assign(handle, { close: () => close().finally(() => files.delete(handle)) });
      },
    });
    const session = await home.create({ agent: "main" });
    await session.append([user("one")]);
    expect(files.size).toBe(1);
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitFor(() => expect(files.size).toBe(0));
    return { session, open: files };
  }

  test("has no open file, and takes the next message", async () => {
    const { session, open } = await unused();
    await session.append([user("two")]);
    expect(await texts(session)).toEqual(["one", "two"]);
    await session.close();
    expect(open.size).toBe(0);
  });

  test("is refused when its file was replaced meanwhile", async () => {
    const { session } = await unused();
    writeFileSync(path("copy"), readFileSync(sessionFile(session)));
    renameSync(path("copy"), sessionFile(session));
    await expect(session.append([user("two")])).rejects.toMatchObject({ code: "log/replaced" });
    await session.close();
  });
});

describe("a session that was begun", () => {
  /** The name of its file is on disk when the promise is fulfilled. */
  async function begun(named: () => Promise<void>) {
    await new HomeLog(path()).create({ agent: "main" }).then((other) => other.close());
    vi.spyOn(folder, "syncFolder").mockImplementationOnce(named);
    return new HomeLog(path()).begin({ agent: "main" });
  }

  test("acknowledges its first message when the session's name is on disk, too", async () => {
    let name: () => void = () => undefined;
    const named = new Promise<void>((resolve) => {
      name = resolve;
    });
    const session = await begun(() => named);
    let isStored = false;
    const storing = session.append([user("one")]).then(() => {
      isStored = true;
    });
    // The message itself does not wait.
    await vi.waitFor(() => expect(readFileSync(sessionFile(session), "utf8")).toContain("one"));
    await new Promise(setImmediate);
    expect(isStored).toBe(false);
    name();
    await storing;
    expect(await texts(session)).toEqual(["one"]);
    await session.close();
  });

  test("takes its first message back if its name cannot be stored", async () => {
    const session = await begun(() => Promise.reject(failure("EIO")));
    await expect(session.append([user("one")])).rejects.toMatchObject({ code: "log/write-failed" });
    expect(await texts(session)).toEqual([]);
    await session.close();
  });
});
