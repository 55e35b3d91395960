import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { browserForFile, hasBrowser } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";

const gateway = gatewayForFile({ model: "demo/script", agents: { main: {}, research: {} } });
const open = browserForFile();

/** More than any page has. */
const CONTROLS = 120;

/** Presses Tab until a control with this name has the focus, which is visible. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let pressed = 0; pressed < CONTROLS; pressed++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (!(element instanceof HTMLElement)) return "";
      const label = "labels" in element && element.labels instanceof NodeList ? element.labels[0] : undefined;
      return (element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent).trim();
    });
    if (typeof name === "string" ? focused === name : name.test(focused)) return;
  }
  throw new Error(`Tab does not lead to ${String(name)}`);
}

/** Opens the menu of the button that has the focus, and chooses an item. */
async function choose(page: Page, item: string): Promise<void> {
  await page.keyboard.press("Enter");
  const wanted = page.locator(":focus").and(page.locator(`[role^=menuitem]:has-text("${item}")`));
  await page.locator("[role^=menuitem]:focus").waitFor();
  for (let pressed = 0; pressed < CONTROLS && (await wanted.count()) === 0; pressed++) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}

describe.skipIf(!hasBrowser)("with the keyboard alone", () => {
  test("one talks, allows, exports, shares, and changes settings", async () => {
    const { page, troubles } = await open(gateway().link);
    const chat = chatOn(page);
    await chat.field.and(page.locator(":focus")).waitFor();
    await page.keyboard.type('call: exec {"command":"echo hi"}');
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("---");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("say: All done");
    await page.keyboard.press("Enter");
    await page.getByText("Allow exec to run?").waitFor();
    await page.keyboard.press("Alt+y");
    await chat.answer("All done").waitFor();

    const menu = page.locator("header").getByRole("button", { name: /^Menu for/ });
    await tabTo(page, /^Menu for/);
    for (; (await menu.and(page.locator(":focus")).count()) === 0; await tabTo(page, /^Menu for/));
    await choose(page, "Export…");
    const exporting = page.getByRole("dialog", { name: /^Export/ });
    await exporting.getByRole("combobox").waitFor();
    await tabTo(page, /^Format/);
    await page.keyboard.type("Cline");
    await exporting.getByRole("table").waitFor();
    await page.keyboard.press("Escape");
    await exporting.waitFor({ state: "hidden" });

    for (; (await menu.and(page.locator(":focus")).count()) === 0; await tabTo(page, /^Menu for/));
    await choose(page, "Share…");
    await page
      .getByRole("dialog", { name: /^Share/ })
      .getByRole("combobox")
      .waitFor();
    await tabTo(page, "Create link");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").locator("code").waitFor();
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+Shift+O");
    await chat.field.and(page.locator(":focus")).waitFor();
    await tabTo(page, "Agent: main");
    await choose(page, "research");
    await tabTo(page, "Transcript to open");
    const zone = page.locator(".home-drop");
    expect(await zone.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");

    await tabTo(page, "Settings");
    await page.keyboard.press("Enter");
    await page.getByText("Tokens", { exact: true }).first().waitFor();
    await tabTo(page, "Tokens");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Tokens", level: 2 }).waitFor();
    await tabTo(page, "Name");
    await page.keyboard.type("laptop");
    await tabTo(page, "Create");
    await page.keyboard.press("Enter");
    await page.getByText(/^Copy it now/).waitFor();

    await tabTo(page, "Usage");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Usage by model" }).waitFor();
    await tabTo(page, "Group by model");
    await choose(page, "By token");
    await page.getByRole("region", { name: "Usage by token" }).waitFor();
    expect(troubles).toEqual([]);
  });
});
