import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openHome } from "../../src/log/files/home.js";
import { samples, TITLE } from "./screenshots/sample.js";
import { prepareHome } from "./screenshots/sample-home.js";
import { type Addresses, screens } from "./screenshots/screens.js";

/**
 * Takes the pictures of the documents, docs/images/*.png, of the app and the viewer as they are built:
 * `npm run build && npx tsx test/support/screenshots.ts`. It needs Chromium, at /usr/bin/chromium or where CHROMIUM says.
 * With a folder as its argument it takes every screen, on a desktop and on a phone, light and dark, and puts them there. More
 * arguments are names of screens: only those are taken.
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

/** The pictures of the documents. */
const documents: { name: string; screen: keyof typeof screens; options: BrowserContextOptions }[] = [
  { name: "home", screen: "home", options: desktop },
  { name: "home-dark", screen: "home", options: { ...desktop, colorScheme: "dark" } },
  { name: "chat", screen: "chat", options: desktop },
  { name: "chat-dark", screen: "chat", options: { ...desktop, colorScheme: "dark" } },
  { name: "chat-phone", screen: "chat", options: phone },
  { name: "viewer", screen: "viewer-convert", options: desktop },
];

/** Writes the sample sessions; returns a file of the one that is shown. */
async function writeSamples(home: string): Promise<string> {
  const log = openHome(home);
  const ids = new Map<string, string>();
  for (const { title, agent, key, parent, messages } of samples) {
    const parentId = parent === undefined ? undefined : ids.get(parent);
    const session = await log.create({
      agent,
      ...(key === undefined ? { title } : { key }),
      ...(parentId === undefined ? {} : { parent: { session: parentId, toolCallId: "c3" } }),
    });
    await session.append(messages);
    ids.set(title, session.id);
    await session.close();
  }
  const file = join(home, "last-line.jsonl");
  copyFileSync(join(home, "agents", "main", "sessions", `${ids.get(TITLE)}.jsonl`), file);
  return file;
}

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

async function takeForDocuments(browser: Browser, addresses: Addresses): Promise<void> {
  for (const { name, screen, options } of documents) {
    const path = `${root}docs/images/${name}.png`;
    await picture(browser, path, options, (page) => screens[screen](page, addresses));
    const { size } = statSync(path);
    process.stdout.write(`docs/images/${name}.png ${size} bytes\n`);
    if (size > LARGEST) throw new Error(`${name}.png has more than ${LARGEST} bytes`);
  }
}

async function takeAll(
  browser: Browser,
  addresses: Addresses,
  folder: string,
  names: readonly string[],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, show] of Object.entries(screens)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const [size, options] of Object.entries({ desktop, phone })) {
      for (const colorScheme of ["light", "dark"] as const) {
        const path = join(folder, `${name}-${size}-${colorScheme}.png`);
        await picture(browser, path, { ...options, colorScheme }, (page) => show(page, addresses));
        process.stdout.write(`${path}\n`);
      }
    }
  }
}

const home = mkdtempSync(join(tmpdir(), "dragoman-pictures-"));
await prepareHome(home);
const file = await writeSamples(home);
const served = await start(["serve", "--json", "--port", "0", "--home", home]);
const { url, token }: { url: string; token: string } = JSON.parse(served.line);
const viewed = await start(["view", file, "--no-open"]);
const { chromium }: typeof import("playwright-core") = await import(driver);
const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium" });
const [, , folder, ...names] = process.argv;
try {
  const addresses = { app: url, link: `${url}/#token=${token}`, viewer: viewed.line };
  if (folder === undefined) await takeForDocuments(browser, addresses);
  else await takeAll(browser, addresses, folder, names);
} finally {
  await browser.close();
  for (const { child } of [served, viewed]) child.kill();
  rmSync(home, { recursive: true, force: true });
}
