import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { TokenStore } from "../gateway/auth/token-store.js";
import { openCells } from "../log/files/cells.js";
import { OwnToken } from "./own-token.js";

const HOUR_MS = 3_600_000;

afterEach(() => void vi.useRealTimers());

test("a token is created when first used, shared, renewed in time, and revoked", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_750_000_000_000 });
  const home = temporaryFolder();
  const stored = () => new TokenStore(openCells(home)).list();
  const token = new OwnToken(home, "dragoman acp", "admin");
  expect(await stored()).toEqual([]);
  const [one, two] = await Promise.all([token.secret(), token.secret()]);
  expect(two).toBe(one);
  expect(await stored()).toMatchObject([
    { name: "dragoman acp", scope: "admin", expires: 1_750_000_000_000 + 24 * HOUR_MS },
  ]);
  vi.setSystemTime(1_750_000_000_000 + 22 * HOUR_MS);
  expect(await token.secret()).toBe(one);
  vi.setSystemTime(1_750_000_000_000 + 23 * HOUR_MS);
  expect(await token.secret()).not.toBe(one);
  await token.close();
  expect(await stored()).toEqual([]);
});
