import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { ProcessGroup } from "./process-group.js";
import { runCommand } from "./run-command.js";

afterEach(() => vi.restoreAllMocks());

test("a command is over only when everything it has started is", async () => {
  const { end } = ProcessGroup.prototype;
  let goOn = () => {};
  const closed = new Promise<void>((resolve) => {
    vi.spyOn(ProcessGroup.prototype, "end").mockImplementation(async function (this: ProcessGroup, graceMs) {
      await end.call(this, graceMs);
      if (this.child.stdout?.closed === false) await once(this.child, "close");
      resolve();
      await new Promise<void>((release) => {
        goOn = release;
      });
    });
  });
  let isOver = false;
  const running = runCommand("true", {
    cwd: temporaryFolder(),
    env: {},
    graceMs: 1000,
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    onText: async () => undefined,
  }).then((ended) => {
    isOver = true;
    return ended;
  });
  await closed;
  // Nothing else is left that it could wait for.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect(isOver).toBe(false);
  goOn();
  expect(await running).toEqual({ exitCode: 0, signal: null, abandoned: false });
});
