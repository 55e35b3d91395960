import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openHome } from "../../../src/log/files/home.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { gatewayForFile } from "./gateway-for-file.js";

/** A chat on Telegram with a person who waits for approval, a second agent, and an answer that cost something. */
const gateway = gatewayForFile(
  {
    model: "demo/script",
    models: { "demo/script": { prices: { input: 30_000, output: 30_000, cacheRead: 0, cacheWrite: 0 } } },
    agents: { main: {}, research: { description: "Looks things up" } },
    channels: {
      telegram: { default: { token: "1:secret", apiRoot: "http://127.0.0.1:9", direct: "pairing" } },
    },
  },
  async (home) => {
    mkdirSync(join(home, "channels/telegram/default"), { recursive: true });
    writeFileSync(
      join(home, "channels/telegram/default/people.json"),
      JSON.stringify({
        version: 1,
        approved: [{ id: "17", name: "Ada", since: Date.UTC(2026, 0, 5, 12), owner: true }],
        pending: [{ code: "GRACE234", id: "4711", name: "Grace", since: Date.now(), message: "4711" }],
      }),
    );
    const session = await openHome(home).create({ agent: "research", key: "agent:research:telegram:dm:42" });
    await session.append([{ role: "user", content: "Eine Frage vom Telefon", timestamp: Date.now() }]);
    await session.close();
  },
);
const open = browserForFile();
const german = { locale: "de-DE", timezoneId: "Europe/Berlin" };

describe.skipIf(!hasBrowser)("in German", () => {
  test("the language can be chosen for this browser, and what was typed is kept", async () => {
    const { page } = await open(gateway().link, { locale: "fr-FR" });
    await page.getByRole("textbox", { name: "Write a message" }).fill("half a thought");
    await go(page, "#/settings/browser");
    await page.getByLabel("Language").waitFor();
    expect(await page.getByLabel("Language").locator("option").allTextContents()).toEqual([
      "Browser's language (English)",
      "English",
      "Deutsch",
    ]);
    await page.getByLabel("Language").selectOption("Deutsch");
    await page.getByRole("heading", { name: "Dieser Browser", level: 2 }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await go(page, "#/");
    expect(await page.getByRole("textbox", { name: "Nachricht schreiben" }).inputValue()).toBe(
      "half a thought",
    );
    await go(page, "#/settings/browser");
    await page.getByLabel("Sprache").selectOption("");
    await page.getByRole("heading", { name: "This browser", level: 2 }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  test("dates and money are written in the reader's locale", async () => {
    const { page } = await open(gateway().link, german);
    await page.getByRole("textbox", { name: "Nachricht schreiben" }).fill("say: Guten Tag");
    await page.getByRole("button", { name: "Senden" }).click();
    await page.locator(".row[data-kind=agent]").getByText("Guten Tag", { exact: true }).waitFor();
    await go(page, "#/settings/channels");
    await page.getByText("Telegram · Besitzer seit 05.01.2026").waitFor();
    await go(page, "#/usage");
    await page
      .getByRole("cell", { name: /^\d+,\d\d\s\$$/ })
      .first()
      .waitFor();
    const { page: british } = await open(gateway().link, { locale: "en-GB" });
    await british.getByRole("heading", { name: "How can I help?" }).waitFor();
    await go(british, "#/settings/channels");
    await british.getByText("Telegram · owner since 5 Jan 2026").waitFor();
  });

  test("without a token, and with a wrong one", async () => {
    const { page } = await open(gateway().url, { ...german, ...phone });
    await page.getByLabel("Token", { exact: true }).fill("dgm_falsch");
    await page.getByRole("button", { name: "Verbinden" }).click();
    await page.getByRole("alert").getByText("Das Gateway akzeptiert dieses Token nicht.").waitFor();
  });
});

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}
