import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentMessage } from "../../src/core/types.js";
import { openHome } from "../../src/log/files/home.js";
import type { SessionLog } from "../../src/log/types.js";

/** A disk of 64 KB, where this user may make one. */
function mount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

let folder = "";
let mounted = false;

beforeEach(({ skip }) => {
  folder = mkdtempSync(join(tmpdir(), "dragoman-disk-"));
  mkdirSync(join(folder, "disk"));
  mounted = mount(join(folder, "disk"));
  if (!mounted) skip("only root can mount a small disk");
});

afterEach(() => {
  if (mounted) execFileSync("umount", [join(folder, "disk")]);
  rmSync(folder, { recursive: true });
});

const message = (index: number): AgentMessage => ({
  role: "user",
  content: `${index} ${"x".repeat(1000)}`,
  timestamp: 1,
  id: `m${index}`,
});

async function ids(session: SessionLog): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const {
    message: { id },
  } of session.read())
    list.push(id);
  return list;
}

test("a full disk loses nothing that was stored, and the session goes on when there is room", async () => {
  const disk = join(folder, "disk");
  writeFileSync(join(disk, "in the way"), Buffer.alloc(16_000));
  const session = await openHome(join(disk, "home")).create({ agent: "main" });
  const stored: unknown[] = [session.id];
  let refused: unknown;
  for (let index = 0; refused === undefined && index < 100; index++) {
    await session.append([message(index)]).then(
      () => stored.push(`m${index}`),
      (error) => {
        refused = error;
      },
    );
  }
  expect(refused).toMatchObject({ code: "log/disk-full", hint: "make room and try again" });
  expect(stored.length).toBeGreaterThan(10);
  expect(await ids(session)).toEqual(stored);
  await expect(session.append([message(200)])).rejects.toMatchObject({ code: "log/disk-full" });
  await expect(openHome(join(disk, "other")).create({ agent: "main" })).rejects.toMatchObject({
    code: "log/disk-full",
  });
  rmSync(join(disk, "in the way"));
  await session.append([message(300)]);
  expect(await ids(session)).toEqual([...stored, "m300"]);
  await session.close();
});

test("a disk that cannot be written to can be read", async () => {
  const disk = join(folder, "disk");
  const session = await openHome(disk).create({ agent: "main", key: "agent:main:main" });
  await session.append([message(1)]);
  await session.close();
  execFileSync("mount", ["-o", "remount,ro", disk]);
  const log = openHome(disk);
  const again = await log.openOrCreate({ agent: "main", key: "agent:main:main" });
  expect(await ids(again)).toEqual([session.id, "m1"]);
  await expect(again.append([message(2)])).rejects.toMatchObject({ code: "log/read-only" });
  await expect(log.create({ agent: "main" })).rejects.toMatchObject({ code: "log/read-only" });
  await expect(log.lease(session.id)).rejects.toMatchObject({ code: "log/read-only" });
  await again.close();
});
