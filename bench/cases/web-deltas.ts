import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMessage } from "dragoman";
import { openHome } from "dragoman/log";
import type { Browser, CDPSession, Page } from "playwright-core";
import { end, serve, withBrowser } from "../support/browser.js";
import type { Case, Host, Row } from "../support/case.js";
import { median } from "../support/cpu.js";

const LENGTHS = [100, 10_000];
const ROUNDS = 5;
/** An answer of this many words, one delta each. */
const WORDS = 4_000;
const RATIO_AT_MOST = 1.5;

interface Visit {
  firstMessageMs: number;
  /** Milliseconds of the page's main thread for a thousand deltas. */
  deltasMs: number;
}

const first = "The very first message";

function messageAt(index: number): AgentMessage {
  const content = index === 0 ? first : `Message ${index}. ${"Some words of it. ".repeat(index % 30)}`;
  return { role: "user", content, timestamp: 1_740_000_000_000 + index };
}

async function makeSession(home: string, length: number): Promise<string> {
  const session = await openHome(home).create({ agent: "main", title: "Long" });
  await session.append(Array.from({ length }, (_, index) => messageAt(index)));
  await session.close();
  return session.id;
}

async function visit(browser: Browser, link: string, id: string): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await page.goto(link);
    await page.getByRole("region", { name: "Recent sessions" }).getByRole("link", { name: "Long" }).waitFor();
    const firstMessageMs = await timeToFirstMessage(page, id);
    await loadAll(page);
    // Warm up, and scroll to the end of the list.
    await answered(page, "warm ".repeat(200), "warmed");
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const before = await mainThreadMs(session);
    await answered(page, "word ".repeat(WORDS), "measured");
    const deltasMs = ((await mainThreadMs(session)) - before) / (WORDS / 1_000);
    return { firstMessageMs, deltasMs };
  } finally {
    await page.close();
  }
}

function timeToFirstMessage(page: Page, id: string): Promise<number> {
  return page.evaluate(
    (session) =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        const observer = new MutationObserver(() => {
          if (document.querySelector(".row") === null) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - began));
        });
        observer.observe(document.body, { childList: true, subtree: true });
        location.hash = `#/session/${session}`;
      }),
    id,
  );
}

/** Scrolls up until every message has been loaded, and back to the end. */
async function loadAll(page: Page): Promise<void> {
  const isLoaded = (words: string) => {
    document.querySelector(".transcript-scroller")?.scrollTo({ top: 0 });
    return document.body.textContent.includes(words);
  };
  await page.waitForFunction(isLoaded, first, { polling: 20, timeout: 120_000 });
  await page.getByRole("button", { name: "Jump to latest" }).click();
}

async function answered(page: Page, words: string, last: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(`${words}${last}`);
  await field.press("Enter");
  await page.locator(".row[data-kind=agent]").getByText(last).last().waitFor();
  await page.locator(".row[data-kind=agent] .usage").last().waitFor();
}

async function mainThreadMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

async function measure(host: Host): Promise<Row[]> {
  const visits = new Map<number, Visit[]>(LENGTHS.map((length) => [length, []]));
  await withBrowser(host, async (browser) => {
    for (let round = 1; round <= ROUNDS; round++) {
      for (const length of LENGTHS) {
        host.progress(`round ${round} of ${ROUNDS}: ${length} messages`);
        visits.get(length)?.push(await visitNew(browser, length));
      }
    }
    host.progress("");
  });
  return [...visits.values()].flat().length === 0 ? [] : rows(visits);
}

async function visitNew(browser: Browser, length: number): Promise<Visit> {
  const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const id = await makeSession(home, length);
  const { child, link } = await serve(home);
  try {
    return await visit(browser, link, id);
  } finally {
    await end(child);
    await rm(home, { recursive: true, force: true });
  }
}

function rows(visits: ReadonlyMap<number, readonly Visit[]>): Row[] {
  const middles = [...visits].map(([length, all]) => ({
    length,
    firstMessageMs: median(all.map((one) => one.firstMessageMs)),
    deltasMs: median(all.map((one) => one.deltasMs)),
  }));
  const [short] = middles;
  return middles.map(({ length, firstMessageMs, deltasMs }) => ({
    label: `${length.toLocaleString("en-US")} messages`,
    figures: {
      "ms to the first message": firstMessageMs,
      "× the first": { value: firstMessageMs / (short?.firstMessageMs ?? 1), atMost: RATIO_AT_MOST },
      "ms of the page per 1,000 deltas": deltasMs,
      "× the first's": { value: deltasMs / (short?.deltasMs ?? 1), atMost: RATIO_AT_MOST },
    },
  }));
}

export const webDeltas: Case = {
  title: "the web app in Chromium: a session is opened, all of it loaded, and an answer streamed into it",
  peers: true,
  works: {},
  onlyThisVersion: "The pages of older versions are not measured.",
  measure,
};
