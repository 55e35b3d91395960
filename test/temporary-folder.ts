import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that goes away after the test that asks for it. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dragoman-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
