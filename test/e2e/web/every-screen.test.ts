import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TokenStore } from "../../../src/gateway/auth/token-store.js";
import { openCells } from "../../../src/log/files/cells.js";
import { prepareHome } from "../../support/screenshots/sample-home.js";
import { screens } from "../../support/screenshots/screens.js";
import { catalogues } from "../../support/screenshots/stage.js";
import { attacks } from "./attacks.js";
import { axeFindingsInBothSchemes } from "./axe.js";
import { browserForFile, hasBrowser, phone, tablet } from "./browser.js";
import { gatewayForFile } from "./gateway-for-file.js";
import { whatCouldAct } from "./read-transcript.js";

/** The home of the pictures, with every attack in every text that comes from elsewhere. */
let file = "";
const gateway = gatewayForFile({}, async (home) => {
  file = await prepareHome(home, ` ${attacks.join(" ")}`);
  await new TokenStore(openCells(home)).create(`ci ${attacks[0]}`, "read");
});
const open = browserForFile();

/** German has the longer texts, so it is on the smaller screens. */
const looks: readonly [name: string, language: keyof typeof catalogues, BrowserContextOptions][] = [
  ["a desktop, in English", "en", {}],
  ["a tablet, in German", "de", tablet],
  ["a phone, in German", "de", phone],
];

describe.skipIf(!hasBrowser)("every screen", () => {
  test.each(looks)(
    "on %s, in light and dark: fits, is accessible, and shows foreign text as text",
    async (_, language, options) => {
      const texts = catalogues[language];
      const { url, link } = gateway();
      const { page, troubles } = await open(link, { ...options, locale: language });
      const untranslated = language === "en" ? new Set<string>() : textsOnlyIn(catalogues.en, texts);
      for (const [name, show] of Object.entries(screens)) {
        await show(page, { app: url, link, file, texts });
        expect({ screen: name, ...(await lookAt(page, untranslated)) }).toEqual({ screen: name, ...nothing });
        await leave(page);
      }
      expect(troubles).toEqual([]);
    },
    300_000,
  );
});

const nothing = { wider: [], cut: [], english: [], active: [], axe: [] };

/** What is wrong on a page. */
async function lookAt(page: Page, untranslated: ReadonlySet<string>): Promise<typeof nothing | object> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${Date.now()}.png`) });
  const { shown, ...found } = await page.evaluate(() => {
    const elements = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility());
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      wider: scrollWidth > clientWidth ? [`${scrollWidth} of ${clientWidth}`] : [],
      cut: elements.flatMap((element) => {
        const isLabel = element.matches("h1, h2, h3, button, label, th, .chat-title");
        const isShortened = element.closest(".one-line, .pill, .visually-hidden, .menu-item") !== null;
        const isCut = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
        return isLabel && !isShortened && isCut ? [element.outerHTML.slice(0, 120)] : [];
      }),
      shown: elements.flatMap((element) => [
        ...[...element.childNodes].flatMap((node) =>
          node.nodeType === Node.TEXT_NODE ? [node.textContent?.trim() ?? ""] : [],
        ),
        ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
      ]),
    };
  });
  const { shown: _, ...acting } = await whatCouldAct(page);
  return {
    ...found,
    english: shown.filter((text) => untranslated.has(text)),
    active: Object.values(acting).flat(),
    axe: await axeFindingsInBothSchemes(page),
  };
}

/** Closes what a screen has opened. */
async function leave(page: Page): Promise<void> {
  const opened = page.locator("dialog[open], .menu:popover-open, .drawer-shade");
  while ((await opened.count()) > 0) await page.keyboard.press("Escape");
}

/** Where to put pictures of the pages, to look at them. */
const pictures = process.env["DRAGOMAN_PICTURES"];

/** The texts without values that the other language does not have. */
function textsOnlyIn(one: object, other: object): ReadonlySet<string> {
  const found = new Set(stringsIn(one));
  for (const text of stringsIn(other)) found.delete(text);
  return found;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
