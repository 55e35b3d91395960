import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openHome } from "../../../src/log/files/home.js";
import { de } from "../../../web/src/text/de.js";
import { en } from "../../../web/src/text/en.js";
import { axeFindings } from "./axe.js";
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

const sizes: readonly [name: string, BrowserContextOptions][] = [
  ["desktop", {}],
  ["phone", phone],
];

describe.skipIf(!hasBrowser)("in German", () => {
  test.each(sizes)("the main pages are German, fit, and are accessible: %s", async (name, size) => {
    const { page, troubles } = await open(gateway().link, { ...german, ...size });
    await page.getByRole("heading", { name: "Wie kann ich helfen?" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByText("Wartet auf Sie").waitFor();
    await page
      .getByRole("link", { name: /Eine Frage vom Telefon/ })
      .last()
      .waitFor();
    await look(page, `${name}-home`);

    await page
      .getByRole("textbox", { name: "Nachricht schreiben" })
      .fill('think: Hm.\ncall: exec {"command":"echo hallo"}\n---\nsay: Es hat **geklappt**.');
    await page.getByRole("button", { name: "Senden" }).click();
    await page.getByText("Darf exec ausgeführt werden?").waitFor();
    await look(page, `${name}-permission`);
    await page.getByRole("button", { name: /^Einmal erlauben/ }).click();
    await page.locator(".row[data-kind=agent]").getByText("geklappt", { exact: true }).waitFor();
    await page.getByRole("button", { name: /\d Token/ }).click();
    await page.getByRole("heading", { name: "Verbrauch der Sitzung" }).waitFor();
    await look(page, `${name}-chat`);
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Alle Sitzungen durchsuchen" }).fill("Telefon");
    await page.getByText("1 Treffer in 1 Sitzung").waitFor();
    await look(page, `${name}-search`);
    await page.keyboard.press("Escape");

    await go(page, "#/usage");
    await page.getByRole("table").waitFor();
    await look(page, `${name}-usage`);
    for (const [section, title] of Object.entries(de.settings.sections)) {
      await go(page, `#/settings/${section}`);
      await page.getByRole("heading", { name: title, level: 2 }).waitFor();
      await look(page, `${name}-settings-${section}`);
    }
    if (size === phone) {
      await page.getByRole("button", { name: "Seitenleiste öffnen" }).click();
      await page.getByRole("button", { name: "Tastenkürzel" }).waitFor();
      await look(page, `${name}-side-bar`);
    }
    expect(troubles).toEqual([]);
  });

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
    await page.getByRole("heading", { name: "Wie kann ich helfen?" }).waitFor();
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
    await look(page, "phone-sign-in");
  });
});

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

/** Everything on a page is German, nothing is wider than it, and axe has no serious finding. */
async function look(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
  const shown = await page.evaluate(() => {
    const elements = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility());
    return elements.flatMap((element) => [
      ...[...element.childNodes].flatMap((node) =>
        node.nodeType === Node.TEXT_NODE ? [node.textContent?.trim() ?? ""] : [],
      ),
      ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
    ]);
  });
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((text) => english.has(text))).toEqual([]);
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(width[0], `${name} is wider than the page`).toBeLessThanOrEqual(width[1] ?? 0);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("h1, h2, h3, button, label, th, .chat-title")].flatMap((element) => {
      const { scrollWidth, clientWidth } = element;
      const isShortened = element.closest(".one-line, .pill, .visually-hidden") !== null;
      return element.checkVisibility() && !isShortened && clientWidth > 0 && scrollWidth > clientWidth + 1
        ? [`${element.textContent}: ${scrollWidth} of ${clientWidth}`]
        : [];
    }),
  );
  expect(cut, `${name} cuts texts off`).toEqual([]);
  expect(await axeFindings(page), name).toEqual([]);
}

/** Where to put pictures of the pages, to look at them. */
const pictures = process.env["DRAGOMAN_PICTURES"];

/** The English texts without values that German has another one for. */
const english = new Set(stringsIn(en));
for (const text of stringsIn(de)) english.delete(text);

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
