import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { PROVIDER_KEY, strictProvider } from "../fakes/strict/provider.js";

/**
 * The way of a stranger, timed: a new clone, `npm ci && npm start`, the printed link, a key in the settings, a model, a message,
 * and the first answer of a provider. No file is edited. Run it with `npx tsx test/support/stranger.ts`; it needs Chromium, at
 * /usr/bin/chromium or where CHROMIUM says. The provider is a strict fake; its address is the only setting a stranger would not
 * change.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));
/** By its path: tsx would resolve the name to its types, as tsconfig.json does. */
const driver = new URL("../node_modules/playwright-core/index.mjs", import.meta.url).href;
const ANSWER = "Good morning, stranger.";

const began = performance.now();
const report = (step: string) =>
  process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${step}\n`);

/** Starts the gateway as the README says, in a home of its own; returns the link that it prints. */
async function start(clone: string, home: string): Promise<{ link: string; child: ChildProcess }> {
  const child = spawn("npm", ["start", "--", "--port", "0"], {
    cwd: clone,
    env: { ...process.env, DRAGOMAN_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
    // npm does not pass signals on to what it starts, so its group is ended.
    detached: true,
  });
  let printed = "";
  return new Promise((resolve, reject) => {
    const look = (text: string) => {
      printed += text;
      const { url, token } = linkIn(printed);
      if (url !== undefined && token !== undefined) resolve({ link: `${url}/#token=${token}`, child });
    };
    child.stdout.setEncoding("utf8").on("data", look);
    child.stderr.setEncoding("utf8").on("data", look);
    child.on("close", (code) => reject(new Error(`npm start ended with ${code}: ${printed}`)));
  });
}

/** The link is printed for people, and as fields for programs. */
function linkIn(printed: string): { url?: string | undefined; token?: string | undefined } {
  const [, url, token] = /(http:\/\/[\d.:]+)\/#token=([\w-]+)\n/.exec(printed) ?? [];
  if (url !== undefined) return { url, token };
  return {
    url: /"url":"([^"]+)"/.exec(printed)?.[1],
    token: /"token":"([^"]+)"/.exec(printed)?.[1],
  };
}

async function addKeyAndAsk(page: Page, address: string): Promise<void> {
  await page.getByRole("link", { name: "Add a key" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "openai" }).first();
  await row.getByRole("button", { name: "Add key" }).click();
  await row.getByLabel("openai API key").fill(PROVIDER_KEY);
  await row.getByRole("button", { name: "Save" }).click();
  await row.getByText("has a key").waitFor();
  report("the key is stored");
  await row.getByLabel("Address").fill(address);
  await row.getByRole("button", { name: "Save" }).click();
  await row.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "New chat" }).click();
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page
    .getByRole("menuitemradio", { name: /^openai\// })
    .first()
    .click();
  report("a model is chosen");
  const field = page.getByRole("textbox", { name: "Write a message" });
  await field.fill("Hello?");
  await field.press("Enter");
  await page.locator(".row[data-kind=agent]").getByText(ANSWER, { exact: true }).waitFor();
  report("the first answer of the provider");
}

const folder = mkdtempSync(join(tmpdir(), "dragoman-stranger-"));
const clone = join(folder, "dragoman");
execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, clone]);
report("git clone");
execFileSync("npm", ["ci", "--no-audit", "--no-fund"], {
  cwd: clone,
  stdio: ["ignore", "ignore", "inherit"],
});
report("npm ci");
const answer = { number: 0, thinking: "A greeting.", calls: [], text: ANSWER };
const provider = await strictProvider("openai-responses", () => answer);
const { link, child } = await start(clone, join(folder, "home"));
report("npm start prints the link");
const { chromium }: typeof import("playwright-core") = await import(driver);
const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium" });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(link);
  await page.getByRole("heading", { name: "How can I help?" }).waitFor();
  report("the page is shown");
  await addKeyAndAsk(page, provider.baseUrl);
} finally {
  await browser.close();
  await provider.close();
  if (child.pid !== undefined) process.kill(-child.pid);
  rmSync(folder, { recursive: true, force: true });
}
