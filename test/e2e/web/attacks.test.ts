import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TokenStore } from "../../../src/gateway/auth/token-store.js";
import { openCells } from "../../../src/log/files/cells.js";
import { openHome } from "../../../src/log/files/home.js";
import { attackMessages, attacks, unseenAttacks } from "./attacks.js";
import { browserForFile, hasBrowser } from "./browser.js";
import { gatewayForFile } from "./gateway-for-file.js";
import { readWhatAttacks, whatCouldAct } from "./read-transcript.js";

const ALL = "All of them";

/** A session full of attacks, one more for each that has it as its title, and attacks as names of tokens, models, agents and folders. */
const gateway = gatewayForFile({ model: "demo/echo" }, async (home) => {
  const log = openHome(home);
  for (const title of attacks) {
    const session = await log.create({ agent: "main", title });
    await session.append([{ role: "user", content: title, timestamp: Date.now() }]);
    await session.close();
  }
  const all = await log.create({ agent: "main", title: ALL });
  await all.append(attackMessages());
  await all.close();
  const tokens = new TokenStore(openCells(home));
  const counts = { calls: 1, input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const names = attacks.map((attack) => attack.replace(/\p{C}/gu, "").slice(0, 64));
  const { entry } = await tokens.create(names[0] ?? "", "read");
  for (const name of names.slice(1, 12)) await tokens.create(name, "read", { session: all.id });
  const at = Date.now();
  const record = { at, token: entry.id, ...counts, cost: 1, unpriced: 0 };
  mkdirSync(join(home, "usage"));
  writeFileSync(
    join(home, "usage", `${new Date(at).toISOString().slice(0, 7)}.jsonl`),
    names.map((name) => `${JSON.stringify({ ...record, agent: name, model: name })}\n`).join(""),
  );
});
const open = browserForFile();

async function expectHarmless(page: Parameters<typeof whatCouldAct>[0]): Promise<string> {
  const { shown, ...found } = await whatCouldAct(page);
  expect(found).toEqual({ elements: [], handlers: [], addresses: [] });
  return shown;
}

describe.skipIf(!hasBrowser)("the app under attack", () => {
  test("titles, messages and what a search finds do nothing", async () => {
    const { page, troubles } = await open(gateway().link, { viewport: { width: 1280, height: 4_000 } });
    await page.getByRole("link", { name: ALL }).first().click();
    await page.locator(".row").first().waitFor();
    expect(unseenAttacks(await readWhatAttacks(page))).toEqual([]);

    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("alert");
    await page.locator("mark").first().waitFor();
    await expectHarmless(page);
    expect(troubles).toEqual([]);
  }, 120_000);

  test("lists, usage and settings show them as text", async () => {
    const { page, troubles } = await open(gateway().link);
    await page.getByRole("heading", { name: "Recent sessions" }).waitFor();
    const visit = async (hash: string, shown: string) => {
      await page.goto(`${gateway().url}/${hash}`);
      await page.getByRole("main").getByText(shown).first().waitFor();
      expect(await expectHarmless(page)).toContain(shown);
    };
    await visit("#/sessions", "www.evil.example/<script>alert(49)</script>");
    await visit("#/usage", "<script>alert(1)</script>");
    for (const choice of ["By agent", "By token"]) {
      await page.getByRole("button", { name: /^Group by/ }).click();
      await page.getByRole("menuitemradio", { name: choice }).click();
      await page.getByRole("rowheader", { name: "<script>alert(1)</script>" }).waitFor();
      await expectHarmless(page);
    }
    await visit("#/settings/tokens", "<script>alert(1)</script>");
    expect(troubles).toEqual([]);
  });

  test("the dialogs of a session show its title as text", async () => {
    const { page, troubles } = await open(gateway().link);
    const title = "www.evil.example/<script>alert(49)</script>";
    await page.getByRole("navigation").getByRole("link", { name: title }).click();
    await page.locator(".row").first().waitFor();
    for (const [item, name] of [
      ["Continue in…", `Continue “${title}” in another program`],
      ["Export…", `Export “${title}”`],
      ["Share…", `Share “${title}”`],
    ] as const) {
      await page
        .locator("header")
        .getByRole("button", { name: /^Menu for/ })
        .click();
      await page.getByRole("menuitem", { name: item }).click();
      await page.getByRole("dialog", { name }).getByRole("combobox").waitFor();
      await expectHarmless(page);
      await page.keyboard.press("Escape");
    }
    await page.getByRole("button", { name: "Edit and fork" }).click();
    await page.getByRole("textbox", { name: "Write a message" }).fill(attacks.slice(0, 9).join(" "));
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Versions of this part" }).waitFor();
    await expectHarmless(page);
    expect(troubles).toEqual([]);
  });
});
