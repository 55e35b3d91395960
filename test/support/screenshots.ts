import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { openHome } from "../../src/log/files/home.js";
import { samples, TITLE } from "./screenshots/sample.js";

/**
 * Takes the pictures of the documents, docs/images/*.png, of the app and the viewer as they are built:
 * `npm run build && npx tsx test/support/screenshots.ts`. It needs Chromium, at /usr/bin/chromium or where CHROMIUM says.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));
const LARGEST = 200_000;

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

/** Writes the sample sessions; returns a file of the one that is shown. */
async function writeSamples(home: string): Promise<string> {
  const log = openHome(home);
  const ids = new Map<string, string>();
  for (const { title, agent, parent, messages } of samples) {
    const parentId = parent === undefined ? undefined : ids.get(parent);
    const session = await log.create({
      agent,
      title,
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
  name: string,
  options: BrowserContextOptions,
  show: (page: Page) => Promise<void>,
) {
  const page = await browser.newPage({ ...options, reducedMotion: "reduce" });
  await show(page);
  const path = `${root}docs/images/${name}.png`;
  await page.screenshot({ path });
  await page.close();
  const { size } = statSync(path);
  process.stdout.write(`docs/images/${name}.png ${size} bytes\n`);
  if (size > LARGEST) throw new Error(`${name}.png has more than ${LARGEST} bytes`);
}

const home = mkdtempSync(join(tmpdir(), "dragoman-pictures-"));
writeFileSync(join(home, "config.json"), '{"model":"demo/echo"}\n');
const file = await writeSamples(home);
const served = await start(["serve", "--json", "--port", "0", "--home", home]);
const { url, token }: { url: string; token: string } = JSON.parse(served.line);
const viewed = await start(["view", file, "--no-open"]);
const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium" });
try {
  const chat = async (page: Page) => {
    await page.goto(`${url}/#token=${token}`);
    await page.getByRole("textbox").waitFor();
    const drawer = page.getByRole("button", { name: "Open the side bar" });
    if (await drawer.isVisible()) await drawer.click();
    await page.getByRole("link", { name: TITLE }).click();
    await page.locator(".hl-keyword").first().waitFor();
    await page.mouse.move(0, 0);
  };
  await picture(browser, "chat", desktop, chat);
  await picture(browser, "chat-dark", { ...desktop, colorScheme: "dark" }, chat);
  await picture(browser, "chat-phone", phone, chat);
  await picture(browser, "viewer", desktop, async (page) => {
    await page.goto(viewed.line);
    await page.locator(".hl-keyword").first().waitFor();
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByLabel("Convert to").selectOption("cline");
    await page.getByRole("list", { name: "Losses" }).waitFor();
    await page.mouse.move(0, 0);
  });
} finally {
  await browser.close();
  for (const { child } of [served, viewed]) child.kill();
  rmSync(home, { recursive: true, force: true });
}
