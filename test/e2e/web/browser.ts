import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** Without windows, Chromium needs half the time for a page. */
const places = [
  process.env["CHROMIUM"] ?? "",
  ...["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser"],
];
const executablePath = places.find((path) => existsSync(path));

/** False, said once on the terminal, where there is no browser: `describe.skipIf(!hasBrowser)`. */
export const hasBrowser = executablePath !== undefined;
if (!hasBrowser) {
  process.stderr.write(
    "skipped: tests in a browser; install Chromium (apt-get install chromium-headless-shell), or set CHROMIUM to its path\n",
  );
}

/** A page, and everything about it that should not have happened. */
export interface WatchedPage {
  page: Page;
  /** Dialogs, errors, violations of the policy, and requests to anywhere else, each as a line. */
  troubles: string[];
}

/** One for all test files of a process; it ends with the process. */
let browser: Promise<Browser> | undefined;

/**
 * A browser, which test files share. What it returns opens pages, each in a session of its own, closed after the test.
 *
 * @example
 * const open = browserForFile();
 * test("…", async () => {
 *   const { page, troubles } = await open(`${url}/#token=${token}`);
 *   expect(troubles).toEqual([]);
 * });
 */
export function browserForFile(): (url: string, options?: BrowserContextOptions) => Promise<WatchedPage> {
  return async (url, options = {}) => {
    if (executablePath === undefined) throw new Error("there is no browser: skip this test with hasBrowser");
    browser ??= chromium.launch({ executablePath });
    const context = await (await browser).newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      ...options,
    });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    const troubles = watch(page, url);
    await page.goto(url);
    return { page, troubles };
  };
}

/** Sizes and looks that pages are shown in. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

export const tablet: BrowserContextOptions = { viewport: { width: 820, height: 1180 }, hasTouch: true };

function watch(page: Page, url: string): string[] {
  const troubles: string[] = [];
  const { host, protocol } = new URL(url);
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // Violations of the policy are told here, too.
    if (message.type() === "error") troubles.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const to = new URL(request.url());
    const own =
      to.protocol === "data:" || to.protocol === "blob:" || (to.host === host && to.protocol === protocol);
    if (!own) troubles.push(`request: ${request.url()}`);
  });
  page.on("popup", (popup) => troubles.push(`popup: ${popup.url()}`));
  return troubles;
}
