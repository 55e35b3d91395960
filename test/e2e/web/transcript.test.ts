import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentMessage, AssistantMessage } from "../../../src/core/types.js";
import type { TranscriptPage } from "../../../web/test-pages/transcript/page.js";
import { attackMessages, unseenAttacks } from "./attacks.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { readWhatAttacks, toStart } from "./read-transcript.js";
import { serveTranscriptPage } from "./transcript-page.js";

declare const window: { transcript: TranscriptPage };

const usage = {
  input: 1200,
  output: 340,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 1540,
  cost: { input: 0.001, output: 0.002, cacheRead: 0, cacheWrite: 0, total: 0.003 },
};

const answer = (
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  role: "assistant",
  content,
  api: "demo",
  provider: "demo",
  model: "echo",
  usage,
  stopReason: "stop",
  timestamp: 1_000,
  ...more,
});

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

function longSession(length: number): AgentMessage[] {
  return Array.from({ length }, (_, at) =>
    at % 2 === 0
      ? user(`Question ${at}`)
      : answer([{ type: "text", text: `Answer ${at}\n\n${"Some words of it. ".repeat(at % 40)}` }]),
  );
}

const show = (page: Page, messages: readonly AgentMessage[]) =>
  page.evaluate((all) => window.transcript.show(all), messages);

/** There is something to read where a reader looks. */
const rowInTheMiddle = () => document.elementFromPoint(640, 400)?.closest(".row") !== null;

describe.skipIf(!hasBrowser)("a transcript in a browser", () => {
  const open = browserForFile();
  let served: Awaited<ReturnType<typeof serveTranscriptPage>>;
  beforeAll(async () => {
    served = await serveTranscriptPage();
  });
  afterAll(() => served.close());

  test("shows an answer with its tools, and has no serious findings of axe", async () => {
    const { page, troubles } = await open(served.url);
    await show(page, [
      user("Why?"),
      answer(
        [
          { type: "thinking", thinking: "Hm *hm*" },
          { type: "toolCall", id: "c", name: "exec", arguments: { command: "npm test" } },
        ],
        { stopReason: "toolUse" },
      ),
      {
        role: "toolResult",
        toolCallId: "c",
        toolName: "exec",
        content: [{ type: "text", text: "all green" }],
        isError: false,
        timestamp: 3_500,
      },
      answer([
        { type: "text", text: "# It works\n\n```ts\nconst a = 1;\n```\n\n| a |\n| - |\n| 1 |\n\n- [x] done" },
      ]),
      { role: "error", content: "HTTP 429: slow", code: "provider/http", timestamp: 4_000 },
    ]);
    const card = page.getByRole("button", { name: "exec npm test 2.5 s" });
    await card.click();
    await page.getByText("all green").waitFor();
    await page.getByRole("button", { name: "Thinking" }).click();
    await page.locator("em", { hasText: "hm" }).waitFor();
    await page.getByText("The provider's rate limit was reached").waitFor();
    await page.locator(".hl-keyword").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
    expect(troubles).toEqual([]);
  });

  test("lists and quotations from right to left have their marks on the right", async () => {
    const { page } = await open(served.url);
    await show(page, [answer([{ type: "text", text: "- واحد\n- two\n\n> اقتباس\n\n- one\n- اثنان" }])]);
    await page.locator("blockquote").waitFor();
    const directions = await page
      .locator(".md :is(ul, blockquote)")
      .evaluateAll((marked) => marked.map((element) => getComputedStyle(element).direction));
    expect(directions).toEqual(["rtl", "rtl", "ltr"]);
  });

  test("fits a phone", async () => {
    const { page } = await open(served.url, phone);
    await show(page, [user("word ".repeat(50)), answer([{ type: "text", text: `\`${"x".repeat(300)}\`` }])]);
    await page.locator("code").waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
  });

  test("an answer grows where it stands; only its open block is made again", async () => {
    const { page } = await open(served.url);
    await show(page, [user("Tell me")]);
    const push = (text: string) =>
      page.evaluate((delta) => window.transcript.push({ type: "text_delta", contentIndex: 0, delta }), text);
    await push("First block.\n\nSecond");
    await push(" block\n\nThird");
    const first = page.getByText("First block.");
    await first.evaluate((element) => element.setAttribute("data-mark", "kept"));
    await push(" block, open");
    await page.getByText("Third block, open").waitFor();
    expect(await first.getAttribute("data-mark")).toBe("kept");
    await page.evaluate(() => {
      window.transcript.push({ type: "toolcall_start", contentIndex: 1, id: "c", name: "write" });
      window.transcript.push({
        type: "toolcall_delta",
        contentIndex: 1,
        delta: '{"content":"Dear rea',
      });
    });
    await page.getByText("Dear rea").first().waitFor();
    await page.evaluate(() =>
      window.transcript.push({ type: "toolcall_delta", contentIndex: 1, delta: 'der"}' }),
    );
    await page.getByText("Dear reader").first().waitFor();
  });

  test("keeps to the end while an answer grows, until the reader scrolls up", async () => {
    const { page } = await open(served.url);
    await show(page, longSession(200));
    await page.getByText("Answer 199").waitFor();
    const distance = () =>
      page
        .locator(".transcript-scroller")
        .evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
          Math.round(scrollHeight - scrollTop - clientHeight),
        );
    const push = (text: string) =>
      page.evaluate((delta) => window.transcript.push({ type: "text_delta", contentIndex: 0, delta }), text);
    await push("line\n\n".repeat(100));
    await push("the very last");
    await page.getByText("the very last").waitFor();
    await expect.poll(distance).toBe(0);
    await page.locator(".transcript-scroller").hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    const before = await distance();
    await push("\n\nmore\n\nand more");
    await expect.poll(distance).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await expect.poll(distance).toBe(0);
    await page.getByText("and more").waitFor();
  });

  test("messages that come before leave in place what is read", async () => {
    const { page } = await open(served.url);
    await show(page, longSession(100));
    const scroller = page.locator(".transcript-scroller");
    await toStart(page);
    const read = page.getByText("Question 2", { exact: true });
    await read.waitFor();
    await scroller.evaluate((element) => element.scrollTo({ top: 100 }));
    const place = async () => Math.round((await read.boundingBox())?.y ?? Number.NaN);
    const before = await place();
    await page.evaluate(
      (older) => window.transcript.grow(older, []),
      Array.from({ length: 50 }, (_, at) => user(`Older ${at}\n`.repeat(3))),
    );
    await page.getByText("Older 49").first().waitFor({ state: "attached" });
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
  });

  test("10,000 messages, and one of a megabyte: few elements, and every row can be reached", async () => {
    const { page, troubles } = await open(served.url);
    const huge = answer([
      { type: "text", text: "A paragraph of some words that goes on.\n\n".repeat(25_000) },
    ]);
    await show(page, [...longSession(10_000), huge, user("The last word")]);
    await page.getByText("The last word").waitFor();
    const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
    expect(await elements()).toBeLessThan(3_000);
    const scroller = page.locator(".transcript-scroller");
    for (const part of [0, 0.25, 0.5, 0.75, 0.99]) {
      await scroller.evaluate((element, at) => element.scrollTo({ top: element.scrollHeight * at }), part);
      await expect.poll(() => page.evaluate(rowInTheMiddle)).toBe(true);
      expect(await elements()).toBeLessThan(3_000);
    }
    await toStart(page);
    await page.getByText("Question 0", { exact: true }).waitFor();
    expect(troubles).toEqual([]);
  });

  test("what attacks does nothing, wherever it stands", async () => {
    const { page, troubles } = await open(served.url, { viewport: { width: 1280, height: 4_000 } });
    await show(page, attackMessages());
    const text = await readWhatAttacks(page);
    expect(troubles).toEqual([]);
    // All of them were there, as text.
    expect(unseenAttacks(text)).toEqual([]);
  });
});
