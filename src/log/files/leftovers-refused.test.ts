import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { sweepHome } from "./leftovers.js";

const disk = vi.hoisted(() => ({ code: "" }));
vi.mock("node:fs/promises", async (importOriginal) => ({
  ...(await importOriginal<typeof import("node:fs/promises")>()),
  rm: () => Promise.reject(Object.assign(new Error(disk.code), { code: disk.code })),
}));

const inHome = folderForEachTest();

async function sweep(code: string): Promise<void> {
  disk.code = code;
  mkdirSync(inHome("agents", "main", "sessions"), { recursive: true });
  const name = "~01JZZZZZZZZZZZZZZZZZZZZZZZ";
  writeFileSync(inHome("agents", "main", "sessions", name), "x");
  utimesSync(inHome("agents", "main", "sessions", name), 1, 1);
  await sweepHome(inHome());
}

test.each(["EROFS", "EACCES", "EPERM"])(
  "a home that cannot be written to (%s) stays as it is",
  async (code) => {
    await expect(sweep(code)).resolves.toBeUndefined();
  },
);

test("a disk that fails is an error", async () => {
  await expect(sweep("EIO")).rejects.toThrow("EIO");
});
