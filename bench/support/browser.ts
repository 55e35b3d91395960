import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import type { Host } from "./case.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Installed with the peers. */
const driver = new URL("../peers/node_modules/playwright-core/index.mjs", import.meta.url).href;
const places = [
  process.env["CHROMIUM"] ?? "",
  ...["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser"],
];
const executablePath = places.find((path) => existsSync(path));

/** Calls back with a browser, and closes it. Without Chromium it adds a note and returns undefined. */
export async function withBrowser<T>(
  host: Host,
  use: (browser: Browser) => Promise<T>,
): Promise<T | undefined> {
  if (executablePath === undefined) {
    host.note("skipped: Chromium was not found; install it, or set CHROMIUM to its path");
    return undefined;
  }
  const { chromium }: typeof import("playwright-core") = await import(driver);
  const browser = await chromium.launch({ executablePath });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** Starts one of our commands and returns the first line it prints. */
async function start(args: readonly string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, ["dist/cli/main.js", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { child, line: String(line) };
}

/** `dragoman serve` with the demo model; the link signs in. */
export async function serve(home: string): Promise<{ child: ChildProcess; link: string }> {
  const args = ["serve", "--json", "--port", "0", "--model", "demo/echo", "--home", home];
  const { child, line } = await start(args);
  const { url, token } = JSON.parse(line);
  return { child, link: `${url}/#token=${token}` };
}

/** `dragoman view` of a file. */
export async function view(file: string): Promise<{ child: ChildProcess; link: string }> {
  const { child, line } = await start(["view", file, "--no-open"]);
  return { child, link: line };
}

export async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "close");
}
