import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TokenStore } from "../../../src/gateway/auth/token-store.js";
import { openCells } from "../../../src/log/files/cells.js";
import { isSoak, soakOnly } from "../../generate/runs.js";
import { prepareHome } from "../../support/screenshots/sample-home.js";
import { screens } from "../../support/screenshots/screens.js";
import { catalogues } from "../../support/screenshots/stage.js";
import { attacks } from "./attacks.js";
import { axeFindings, axeFindingsInBothSchemes } from "./axe.js";
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

type Look = [name: string, language: keyof typeof catalogues, options: BrowserContextOptions];

/**
 * German has the longer texts, so it is on the smaller screens. The
 * first two have the largest and the smallest size, both languages and both colour schemes; a soak adds the tablet, and
 * checks each look in both schemes.
 */
const looks: readonly Look[] = [
  ["a desktop, in English and light", "en", { colorScheme: "light" }],
  ["a phone, in German and dark", "de", { ...phone, colorScheme: "dark" }],
  ...soakOnly<Look>(["a tablet, in German", "de", tablet]),
];

describe.skipIf(!hasBrowser)("every screen", () => {
  test.each(looks)(
    "on %s: fits, is accessible, and shows foreign text as text",
    async (_, language, options) => {
      const texts = catalogues[language];
      const { url, link } = gateway();
      const { page, troubles } = await open(link, { ...options, locale: language });
      const untranslated = language === "en" ? new Set<string>() : textsOnlyIn(catalogues.en, texts);
      const found: Record<string, string[]> = {};
      for (const [name, show] of Object.entries(screens)) {
        await show(page, { app: url, link, file, texts });
        const wrong = await lookAt(page, untranslated);
        if (wrong.length > 0) found[name] = wrong;
        await leave(page);
      }
      // A wrong token is refused on one of the screens, which the browser reports.
      const unexpected = troubles.filter((line) => !/ 401 |HTTP Authentication failed/.test(line));
      expect({ found, unexpected }).toEqual({ found: {}, unexpected: [] });
    },
    300_000,
  );
});

/** What is wrong on a page, a line for each place. */
async function lookAt(page: Page, untranslated: ReadonlySet<string>): Promise<string[]> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${Date.now()}.png`) });
  // On a phone `innerWidth` grows with a page that is too wide.
  const width = page.viewportSize()?.width ?? 0;
  const { layout, shown } = await page.evaluate((pageWidth) => {
    const elements = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility());
    const { scrollWidth } = document.documentElement;
    const isOutside = ({ left, right, width }: DOMRect) => width > 0 && (left < -1 || right > pageWidth + 1);
    const describe = (what: string) => (element: Element) => `${what}: ${element.outerHTML.slice(0, 120)}`;
    const wider = scrollWidth > pageWidth ? [`wider than the page: ${scrollWidth} of ${pageWidth}`] : [];
    const outside = elements
      .filter((element) => element.matches("dialog, .menu") && isOutside(element.getBoundingClientRect()))
      .map(describe("outside of the page"));
    const cut = elements
      .filter((element) => element.matches("h1, h2, h3, button, label, th, dt, .chat-title"))
      // What is shortened on purpose has its whole text as its title.
      .filter((element) => element.closest("[title], .one-line, .visually-hidden, .menu-item") === null)
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .map(describe("cut off"));
    const unreachable = elements
      .filter((element) =>
        element.matches("a[href], button:enabled, :is(input, select, textarea):enabled, summary"),
      )
      // Arrow keys move in a tree.
      .filter(
        (element) => element instanceof HTMLElement && element.tabIndex < 0 && element.role !== "treeitem",
      )
      .map(describe("not reached with Tab"));
    const textsOf = (element: Element) => [
      ...[...element.childNodes].flatMap((node) =>
        node.nodeType === Node.TEXT_NODE ? [node.textContent?.trim() ?? ""] : [],
      ),
      ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
    ];
    return {
      layout: [...wider, ...outside, ...cut, ...unreachable],
      // What a message says is not translated.
      shown: elements.filter((element) => element.closest(".md") === null).flatMap(textsOf),
    };
  }, width);
  const { shown: _, ...acting } = await whatCouldAct(page);
  return [
    ...layout,
    ...shown.filter((text) => untranslated.has(text)).map((text) => `not translated: ${text}`),
    // The viewer's link to the app.
    ...Object.values(acting)
      .flat()
      .filter((address) => address !== "/"),
    ...(await (isSoak ? axeFindingsInBothSchemes : axeFindings)(page)),
  ];
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
