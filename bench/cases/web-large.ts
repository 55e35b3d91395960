import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHome } from "dragoman/log";
import type { Browser, Page } from "playwright-core";
import { end, serve, view, withBrowser } from "../support/browser.js";
import type { Case, Host, Row } from "../support/case.js";
import { median } from "../support/cpu.js";
import { writeTranscript } from "../support/transcript-file.js";

const MB = 1_000_000;
const FILE_MB = 50;
const SESSIONS = 10_000;
const ROUNDS = 5;
const SEARCH_MS_AT_MOST = 1_000;
/** In every prompt, in a few of them, and nowhere. */
const queries = ["look at module", "module 77", "nowhere to be found"];

/** From the key to the number of matches. */
async function searchMs(page: Page, query: string): Promise<number> {
  const field = page.getByRole("searchbox");
  await field.fill("");
  await page.locator(".viewer-found").waitFor({ state: "detached" });
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const input = document.querySelector<HTMLInputElement>(".viewer-find-field input");
        const began = performance.now();
        const observer = new MutationObserver(() => {
          const found = document.querySelector(".viewer-found")?.textContent ?? "…";
          if (found === "…") return;
          observer.disconnect();
          resolve(performance.now() - began);
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
        if (input === null) return;
        // React listens to the native setter.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    query,
  );
}

async function measureViewer(browser: Browser, host: Host, folder: string): Promise<Row[]> {
  const file = join(folder, "large.jsonl");
  await writeTranscript(file, "openclaw", FILE_MB * MB);
  const { child, link } = await view(file);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    const began = performance.now();
    await page.goto(link);
    await page.locator(".row").first().waitFor({ timeout: 120_000 });
    const openMs = performance.now() - began;
    const rows: Row[] = [{ label: `open ${FILE_MB} MB`, figures: { ms: openMs } }];
    for (const query of queries) {
      const times: number[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        host.progress(`“${query}”: round ${round} of ${ROUNDS}`);
        times.push(await searchMs(page, query));
      }
      const value = median(times);
      rows.push({ label: `search “${query}” in it`, figures: { ms: { value, atMost: SEARCH_MS_AT_MOST } } });
    }
    return rows;
  } finally {
    await page.close();
    await end(child);
  }
}

async function makeSessions(home: string, host: Host): Promise<void> {
  const log = openHome(home);
  for (let at = 0; at < SESSIONS; at++) {
    if (at % 500 === 0) host.progress(`${at} of ${SESSIONS} sessions`);
    const session = await log.create({ agent: "main", title: `Session ${at}` });
    await session.append([{ role: "user", content: `Question ${at}`, timestamp: 1_740_000_000_000 + at }]);
    await session.close();
  }
}

async function measureHome(browser: Browser, host: Host, home: string): Promise<Row[]> {
  await makeSessions(home, host);
  const { child, link } = await serve(home);
  const times: number[] = [];
  const firsts: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      host.progress(`home: round ${round + 1} of ${ROUNDS}`);
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const began = performance.now();
      await page.goto(link);
      await page
        .getByRole("region", { name: "Recent sessions" })
        .getByRole("link")
        .first()
        .waitFor({ timeout: 120_000 });
      (round === 0 ? firsts : times).push(performance.now() - began);
      await page.close();
    }
  } finally {
    await end(child);
  }
  const label = (what: string) => `home with ${SESSIONS.toLocaleString("en-US")} sessions, ${what}`;
  return [
    { label: label("while they are indexed"), figures: { ms: median(firsts) } },
    { label: label("again"), figures: { ms: median(times) } },
  ];
}

async function measure(host: Host): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  try {
    const rows = await withBrowser(host, async (browser) => [
      ...(await measureViewer(browser, host, folder)),
      ...(await measureHome(browser, host, join(folder, "home"))),
    ]);
    host.progress("");
    return rows ?? [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const webLarge: Case = {
  title: "the pages in Chromium with much to show: a large file in the viewer, and the home page",
  peers: true,
  works: {},
  onlyThisVersion: "The pages of older versions are not measured.",
  measure,
};
