import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { prepareHome } from "./screenshots/sample-home.js";
import { screens } from "./screenshots/screens.js";
import { catalogues, type Stage } from "./screenshots/stage.js";

/**
 * Takes the pictures of the documents, docs/images/*.png, of the app and the viewer as they are built:
 * `npm run build && npx tsx test/support/screenshots.ts`. It needs Chromium, as Debian has it or where CHROMIUM says.
 * With a folder as its argument it takes every screen, on a desktop, a tablet and a phone, light and dark, and puts them there.
 * More arguments are names of screens, and `de` for German: only those are taken.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));
const LARGEST = 200_000;
/** By its path: tsx would resolve the name to its types, as tsconfig.json does. */
const driver = new URL("../node_modules/playwright-core/index.mjs", import.meta.url).href;

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

const tablet: BrowserContextOptions = { viewport: { width: 820, height: 1180 }, hasTouch: true };

/** The pictures of the documents. */
const documents: { name: string; screen: keyof typeof screens; options: BrowserContextOptions }[] = [
  { name: "home", screen: "home", options: desktop },
  { name: "home-dark", screen: "home", options: { ...desktop, colorScheme: "dark" } },
  { name: "chat", screen: "chat", options: desktop },
  { name: "chat-dark", screen: "chat", options: { ...desktop, colorScheme: "dark" } },
  { name: "chat-phone", screen: "chat", options: phone },
  { name: "viewer", screen: "viewer-convert", options: desktop },
];

/** Starts a command of ours and reads the first line it prints. */
async function start(args: readonly string[]): Promise<{ line: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [`${root}dist/cli/main.js`, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: child.stdout })) return { line, child };
  throw new Error(`dragoman ${args[0]} printed nothing`);
}

async function picture(
  browser: Browser,
  path: string,
  options: BrowserContextOptions,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ ...options, reducedMotion: "reduce" });
  page.setDefaultTimeout(60_000);
  try {
    await show(page);
    await page.mouse.move(0, 0);
    await page.screenshot({ path });
  } finally {
    await page.close();
  }
}

async function takeForDocuments(browser: Browser, stage: Stage): Promise<void> {
  for (const { name, screen, options } of documents) {
    const path = `${root}docs/images/${name}.png`;
    await picture(browser, path, options, (page) => screens[screen](page, stage));
    const { size } = statSync(path);
    process.stdout.write(`docs/images/${name}.png ${size} bytes\n`);
    if (size > LARGEST) throw new Error(`${name}.png has more than ${LARGEST} bytes`);
  }
}

async function takeAll(
  browser: Browser,
  stage: Stage,
  folder: string,
  locale: string,
  names: readonly string[],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, show] of Object.entries(screens)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const [size, options] of Object.entries({ desktop, tablet, phone })) {
      for (const colorScheme of ["light", "dark"] as const) {
        const path = join(folder, `${name}-${locale}-${size}-${colorScheme}.png`);
        await picture(browser, path, { ...options, colorScheme, locale }, (page) => show(page, stage));
        process.stdout.write(`${path}\n`);
      }
    }
  }
}

const home = mkdtempSync(join(tmpdir(), "dragoman-pictures-"));
const file = await prepareHome(home);
const served = await start(["serve", "--json", "--port", "0", "--home", home]);
const { url, token }: { url: string; token: string } = JSON.parse(served.line);
const { chromium }: typeof import("playwright-core") = await import(driver);
const places = [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const executablePath = places.find((path) => existsSync(path)) ?? "chromium";
const browser = await chromium.launch({ executablePath });
const [, , folder, ...words] = process.argv;
const language = words.includes("de") ? "de" : "en";
try {
  const stage = { app: url, link: `${url}/#token=${token}`, file, texts: catalogues[language] };
  if (folder === undefined) await takeForDocuments(browser, stage);
  else
    await takeAll(
      browser,
      stage,
      folder,
      language,
      words.filter((word) => word !== "de"),
    );
} finally {
  await browser.close();
  served.child.kill();
  rmSync(home, { recursive: true, force: true });
}
