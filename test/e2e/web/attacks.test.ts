import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openHome } from "../../../src/log/files/home.js";
import { requireBuild } from "../../support/cli/run-cli.js";
import { startServe } from "../../support/cli/serve-process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { attackMessages, attacks, unseenAttacks } from "./attacks.js";
import { browserForFile, hasBrowser } from "./browser.js";
import { readWhatAttacks, whatCouldAct } from "./read-transcript.js";

/** A home with a session full of attacks, and one more for each that has it as its title. */
async function homeUnderAttack(): Promise<string> {
  const home = temporaryFolder();
  writeFileSync(join(home, "config.json"), '{"model":"demo/echo"}');
  const log = openHome(home);
  for (const title of attacks) {
    const session = await log.create({ agent: "main", title });
    await session.append([{ role: "user", content: title, timestamp: Date.now() }]);
    await session.close();
  }
  const all = await log.create({ agent: "main", title: "All of them" });
  await all.append(attackMessages());
  await all.close();
  return home;
}

describe.skipIf(!hasBrowser)("the app under attack", () => {
  const open = browserForFile();

  test("titles, messages and what a search finds do nothing", async () => {
    requireBuild();
    const { url, token } = await startServe(await homeUnderAttack());
    const { page, troubles } = await open(`${url}/#token=${token}`, {
      viewport: { width: 1280, height: 4_000 },
    });
    await page.getByRole("link", { name: "All of them" }).click();
    await page.locator(".row").first().waitFor();
    expect(unseenAttacks(await readWhatAttacks(page))).toEqual([]);

    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("alert");
    await page.locator("mark").first().waitFor();
    const { shown: _, ...found } = await whatCouldAct(page);
    expect(found).toEqual({ elements: [], handlers: [], addresses: [] });
    expect(troubles).toEqual([]);
  }, 120_000);
});
