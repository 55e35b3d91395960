import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { workspace } from "../../support/cli/run-cli.js";
import { attackMessages } from "./attacks.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { branches, broken, conversation, lines, longWork } from "./viewer-transcripts.js";

const compacted = fileURLToPath(
  new URL("../../../conformance/openclaw-turns/compacted.jsonl", import.meta.url),
);

describe.skipIf(!hasBrowser)("the page that `view --html` writes", () => {
  const open = browserForFile();
  const { path, put, dragoman } = workspace();

  async function openPage(text: string, options?: Parameters<typeof open>[1]) {
    put("talk.jsonl", text);
    const { code } = await dragoman(["view", "talk.jsonl", "--html", "talk.html"]);
    expect(code).toBe(0);
    return open(pathToFileURL(path("talk.html")).href, options);
  }
  const scriptless = { javaScriptEnabled: false };
  const log = (page: Page) => page.getByRole("log", { name: "Transcript" });
  const panel = (page: Page, name: string) => page.getByRole("navigation").getByRole("button", { name });
  /** How many pages a PDF has, by its page objects. */
  const pagesOf = (pdf: Buffer) => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length;

  test.each(["light", "dark"] as const)("reads without scripts, in %s colours", async (colorScheme) => {
    const { page, troubles } = await openPage(conversation, { ...phone, ...scriptless, colorScheme });
    expect(await page.locator("article .text, article .code").allTextContents()).toEqual([
      "What does greet.ts print?",
      "Let me look.",
      '{\n  "path": "src/greet.ts"\n}',
      'console.log("Hello, world");',
      "It prints “Hello, world”.",
    ]);
    const top = await page.locator("article").first().boundingBox();
    expect(top?.y).toBeLessThan(250);
    expect(troubles).toEqual([]);
  });

  test("has the text for programs that search and show files", async () => {
    await openPage(conversation);
    const html = readFileSync(path("talk.html"), "utf8");
    const [, text] = /<noscript>([\s\S]*?)<\/noscript>/.exec(html) ?? [];
    expect(text).toContain("It prints “Hello, world”.");
  });

  test("shows one branch without scripts, as the viewer does", async () => {
    const { page } = await openPage(branches, scriptless);
    expect(await page.locator("article .text").allTextContents()).toEqual([
      "Name a river.",
      "In Africa, I mean.",
    ]);
  });

  test("states without scripts why a damaged file ends early", async () => {
    const { page } = await openPage(broken, scriptless);
    expect(await page.locator("article .text").last().textContent()).toBe("It prints “Hello, world”.");
    expect(await page.locator("main > .bad").textContent()).toMatch(
      /^Not all of this transcript could be read: line 4: /,
    );
  });

  test("attacks stay in the text that scripts do not see", async () => {
    const { page, troubles } = await openPage(lines(...attackMessages()));
    await page.locator(".row").first().waitFor();
    expect(await page.locator("noscript").count()).toBe(1);
    expect(await page.locator("noscript *").count()).toBe(0);
    expect(troubles).toEqual([]);
    const bare = await openPage(lines(...attackMessages()), scriptless);
    expect(await bare.page.locator("article").count()).toBeGreaterThan(1);
    expect(
      await bare.page.locator("main :is(script, iframe, object, embed, base, form, link, svg)").count(),
    ).toBe(0);
  });

  test("prints every message, dark on light, and nothing of the controls", async () => {
    const { page } = await openPage(longWork(60), { colorScheme: "dark" });
    await page.locator(".row").first().waitFor();
    expect(await page.getByText("Tell me about river 59.").count()).toBe(1);
    expect(pagesOf(await page.pdf())).toBeGreaterThan(5);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(
      await log(page)
        .getByText(/^Tell me about river \d+\.$/)
        .count(),
    ).toBe(60);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(251, 250, 248)",
    );
    expect(await page.getByRole("navigation").isVisible()).toBe(false);
    expect(await page.getByRole("search").isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen" });
    await expect
      .poll(() =>
        log(page)
          .getByText(/^Tell me about river \d+\.$/)
          .count(),
      )
      .toBeLessThan(60);
  });

  test("shows a problem once, at a result without its call", async () => {
    const { page } = await openPage(readFileSync(compacted, "utf8"));
    await page.getByText("1 error, 0 warnings").waitFor();
    await log(page).getByText("pairing/orphan-result").waitFor();
    expect(await log(page).getByText("pairing/orphan-result").count()).toBe(1);
  });

  test("opens with a panel only if there is something in it", async () => {
    const { page } = await openPage(conversation);
    await panel(page, "Problems").waitFor();
    expect(await page.getByRole("complementary").count()).toBe(0);
    await panel(page, "Outline").click();
    await page.getByRole("complementary", { name: "Outline" }).getByText("1 prompt").waitFor();
    const several = await openPage(longWork(3));
    await several.page.getByRole("complementary", { name: "Outline" }).getByText("3 prompts").waitFor();
  });

  test("leaves most of a phone to the messages", async () => {
    const { page } = await openPage(longWork(3), phone);
    await page.locator(".row").first().waitFor();
    const { height = 0 } = (await log(page).boundingBox()) ?? {};
    expect(height).toBeGreaterThan(844 * 0.75);
    expect(await page.getByRole("button", { name: "Jump to latest" }).count()).toBe(0);
    await panel(page, "Outline").click();
    await page.getByRole("complementary").getByText("12 messages").waitFor();
  });

  test("folds the JSON of a message", async () => {
    const { page, troubles } = await openPage(conversation);
    await panel(page, "JSON").click();
    await page.locator("body").press("j");
    await page.locator("body").press("j");
    await page.getByRole("button", { name: "Formatted" }).click();
    const json = page.getByRole("complementary", { name: "JSON" });
    await json.getByText('"path": "src/greet.ts"').waitFor();
    await json.getByRole("button", { name: '"content": [' }).click();
    await json.getByRole("button", { name: '"content": [ … 12 lines ]' }).waitFor();
    expect(await json.getByText('"path": "src/greet.ts"').count()).toBe(0);
    await json.getByRole("button", { name: "Unfold all" }).click();
    await json.getByText('"path": "src/greet.ts"').waitFor();
    await json.getByRole("button", { name: "Fold all" }).click();
    expect(await json.getByText('"path": "src/greet.ts"').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });
});
