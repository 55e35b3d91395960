import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, onTestFinished } from "vitest";

function makeFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "dragoman-test-")));
}

/** An empty folder that goes away after the test that asks for it. */
export function temporaryFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty folder for every test of a file: what it returns gives a path in it. */
export function folderForEachTest(): (...names: string[]) => string {
  let folder = "";
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (...names) => join(folder, ...names);
}

/** An empty folder for all tests of a file or of a `describe`. */
export function folderForFile(): string {
  const folder = makeFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
