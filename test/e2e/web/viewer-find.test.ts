import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { envelope } from "../../../src/cli/view/envelope.js";
import { writePage } from "../../../src/cli/view/write-page.js";
import { soakOnly } from "../../generate/runs.js";
import { requireBuild } from "../../support/cli/run-cli.js";
import { folderForEachTest } from "../../support/temporary-folder.js";
import { attackMessages, attacks } from "./attacks.js";
import { axeFindings, axeFindingsInBothSchemes } from "./axe.js";
import { browserForFile, hasBrowser, phone, tablet } from "./browser.js";
import { branches, conversation, lines, longWork } from "./viewer-transcripts.js";

const patient = { timeout: 20_000 };

describe.skipIf(!hasBrowser)("finding something in the viewer", () => {
  beforeAll(requireBuild);
  const open = browserForFile();
  const path = folderForEachTest();

  async function openPage(text: string, options?: Parameters<typeof open>[1]) {
    const html = path("page.html");
    const about = { name: "transcript.jsonl", dialect: undefined };
    await writePage(html, { transcript: envelope(about, Readable.from([Buffer.from(text)])) });
    const opened = await open(pathToFileURL(html).href, options);
    await opened.page.locator(".row").first().waitFor();
    return opened;
  }

  const log = (page: Page) => page.getByRole("log", { name: "Transcript" });
  const found = (page: Page) => page.getByRole("search").getByRole("status");
  const chip = (page: Page, name: string) =>
    page.getByRole("group", { name: "Show only" }).getByRole("button", { name });
  /** The texts that are marked in the page. */
  const marked = (page: Page): Promise<string[]> =>
    page.evaluate(() => [...(CSS.highlights.get("dragoman-search") ?? [])].map((range) => range.toString()));

  /** Whether the first mark is inside everything that could hide it. */
  const isMarkInSight = (page: Page): Promise<boolean> =>
    page.evaluate(() => {
      const [range] = CSS.highlights.get("dragoman-search") ?? [];
      if (!(range instanceof Range)) return false;
      const { top, bottom } = range.getBoundingClientRect();
      for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
        const frame = box.getBoundingClientRect();
        if (box.matches(".long-text, .transcript-scroller") && (top < frame.top || bottom > frame.bottom))
          return false;
      }
      return true;
    });

  test("with the keyboard: the first match, the next, the previous, and around", async () => {
    const { page, troubles } = await openPage(longWork(300));
    await page.keyboard.press("/");
    await page.keyboard.type("about RIVER 2");
    await found(page).getByText("1 of 111").waitFor();
    await log(page).getByText("Tell me about river 2.", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await found(page).getByText("2 of 111").waitFor();
    await log(page).getByText("Tell me about river 20.", { exact: true }).waitFor();
    expect(new Set(await marked(page))).toEqual(new Set(["about river 2"]));
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.press("Shift+Enter");
    await found(page).getByText("111 of 111").waitFor();
    await log(page).getByText("Tell me about river 299.", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("searchbox").inputValue()).toBe("");
    expect(await marked(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test("Ctrl+F focuses the field; what is not there is stated", async () => {
    const { page } = await openPage(conversation);
    await page.keyboard.press("Control+f");
    await page.keyboard.type("unicorn");
    await found(page).getByText("no matches").waitFor();
  });

  test("a match in a folded result opens it, however far down it is", async () => {
    const { page } = await openPage(longWork(40));
    await page.getByRole("searchbox").fill("the spring of river 33");
    await found(page).getByText("1 of 1").waitFor();
    const output = log(page).locator(".fold[data-open=true]").getByText("the spring of river 33");
    await output.waitFor();
    expect(await marked(page)).toEqual(["the spring of river 33"]);
    await expect.poll(() => isMarkInSight(page), patient).toBe(true);
  });

  test("matches are marked across the colours of code", async () => {
    const content = "```ts\nconst river = flow(1);\n```";
    const { page } = await openPage(lines({ role: "user", content, timestamp: 1 }));
    await log(page).locator(".hl-keyword").waitFor();
    await page.getByRole("searchbox").fill("const river = flow");
    await expect.poll(() => marked(page), patient).toEqual(["const river = flow"]);
  });

  test("kinds are shown alone or together, and searched alone", async () => {
    const { page } = await openPage(longWork(3));
    const rows = page.locator(".row");
    await chip(page, "Prompts 3").click();
    await expect
      .poll(() => rows.allTextContents(), patient)
      .toEqual([
        expect.stringContaining("Tell me about river 0."),
        expect.stringContaining("Tell me about river 1."),
        expect.stringContaining("Tell me about river 2."),
      ]);
    await page.getByRole("searchbox").fill("river 1");
    await found(page).getByText("1 of 1").waitFor();
    await chip(page, "Tools 3").click();
    await expect.poll(() => rows.count(), patient).toBe(6);
    await found(page).getByText("1 of 2").waitFor();
    await chip(page, "Prompts 3").click();
    await chip(page, "Tools 3").click();
    await found(page).getByText("1 of 2").waitFor();
  });

  test("a failed tool is an error, too", async () => {
    const { page } = await openPage(longWork(12));
    await chip(page, "Errors 2").click();
    await expect.poll(() => page.locator(".row").count(), patient).toBe(2);
    expect(await page.locator(".row .tool-name").allTextContents()).toEqual(["read", "read"]);
  });

  test("a message that is filtered out is shown again when it is wanted", async () => {
    const { page } = await openPage(longWork(12));
    await chip(page, "Thinking 12").click();
    await page.getByRole("button", { name: "Tell me about river 7." }).click();
    await log(page).getByText("Tell me about river 7.", { exact: true }).waitFor();
    expect(await chip(page, "Thinking 12").getAttribute("aria-pressed")).toBe("false");
  });

  test("the outline lists the prompts with what followed, and leads there", async () => {
    const { page } = await openPage(longWork(250));
    const prompts = page.getByRole("list", { name: "Prompts" });
    expect(await prompts.getByRole("listitem").count()).toBe(200);
    expect(await prompts.getByRole("listitem").first().textContent()).toMatch(
      /^Tell me about river 0\..*2026.* · 1 tool call · 940 tokens · \$0\.020$/,
    );
    await page.getByRole("button", { name: "Show more" }).click();
    await prompts.getByText("Tell me about river 240.").click();
    await log(page).getByText("Tell me about river 240.", { exact: true }).waitFor();
    expect(await prompts.locator("[aria-current=true]").textContent()).toContain("river 240.");
  });

  test("only the branch on display is searched", async () => {
    const { page } = await openPage(branches);
    await page.getByRole("searchbox").fill("I mean");
    await found(page).getByText("1 of 1").waitFor();
  });

  test("in a replay, a call whose result is still to come is running, and one that got none is not", async () => {
    const { page } = await openPage(longWork(2));
    const states = () =>
      page.locator(".row .tool").evaluateAll((all) => all.map((one) => one.dataset["state"]));
    await page.getByRole("slider", { name: "Messages shown" }).fill("2");
    await expect.poll(states, patient).toEqual(["running"]);
    await page.getByRole("slider", { name: "Messages shown" }).fill("3");
    await expect.poll(states, patient).toEqual(["done"]);
  });

  test("the keys are listed", async () => {
    const { page } = await openPage(conversation);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Next message with a problem").waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test("attacks do nothing in the outline, in matches and in a search", async () => {
    const { page, troubles } = await openPage(lines(...attackMessages()));
    await page.getByRole("list", { name: "Prompts" }).waitFor();
    for (const attack of attacks.slice(0, 20)) await page.getByRole("searchbox").fill(attack.slice(0, 60));
    await page.getByRole("searchbox").fill("<");
    await found(page)
      .getByText(/^1 of \d+$/)
      .waitFor();
    await page.keyboard.press("Enter");
    expect(await page.locator("#root :is(script, iframe, object, embed, base, form, link)").count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  test.each([
    ["on a phone", phone],
    ...soakOnly<[string, BrowserContextOptions]>(["on a desk", {}], ["on a tablet", tablet]),
  ])("is accessible in light and dark, and fits %s", async (_, options) => {
    const { page } = await openPage(longWork(30), options);
    await page.getByRole("searchbox").fill("about river 2");
    await found(page).getByText("1 of 11").waitFor();
    expect(await axeFindingsInBothSchemes(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0);
  });
});
