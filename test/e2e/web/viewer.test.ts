import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { envelope } from "../../../src/cli/view/envelope.js";
import { writePage } from "../../../src/cli/view/write-page.js";
import { soakOnly } from "../../generate/runs.js";
import { requireBuild } from "../../support/cli/run-cli.js";
import { startView } from "../../support/cli/view-process.js";
import { folderForEachTest } from "../../support/temporary-folder.js";
import { attackMessages, attacks } from "./attacks.js";
import { axeFindings, axeFindingsInBothSchemes } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { branches, broken, conversation, lines } from "./viewer-transcripts.js";

const patient = { timeout: 20_000 };

const fixture = (path: string) => fileURLToPath(new URL(`../../../conformance/${path}`, import.meta.url));

/** Files of several dialects, with what the viewer calls these. */
const fixtures: readonly [title: string, path: string][] = [
  ["OpenClaw transcript", "openclaw/branches.jsonl"],
  ["OpenClaw session turns", "openclaw-turns/tool-loop.jsonl"],
  ["pi session file", "pi/v3-tree.jsonl"],
  ["Cline session messages", "cline/success.json"],
  ["clawtools message array", "clawtools/tool-loop.json"],
  ["Timbal frames", "timbal/weather.live.jsonl"],
  ["Anthropic Messages", "anthropic/tool-loop.json"],
  ["OpenAI Chat Completions", "openai-chat/tool-loop.json"],
  ["OpenAI Responses", "openai-responses/tool-loop.json"],
  ["Gemini generateContent", "google/tool-loop.json"],
  ["Ollama chat", "ollama/plain.json"],
];

describe.skipIf(!hasBrowser)("the viewer in a browser", () => {
  beforeAll(requireBuild);
  const open = browserForFile();
  const path = folderForEachTest();

  /** A page with the transcript in it, opened as a file. */
  async function openPage(transcript: string | { file: string }, options?: Parameters<typeof open>[1]) {
    const html = path("page.html");
    const [name, text] =
      typeof transcript === "string"
        ? ["transcript.jsonl", transcript]
        : [basename(transcript.file), readFileSync(transcript.file)];
    // As the command does it; a process for each page would take longer than all that is looked at.
    await writePage(html, {
      transcript: envelope({ name, dialect: undefined }, Readable.from([Buffer.from(text)])),
    });
    const opened = await open(pathToFileURL(html).href, options);
    return { ...opened, html };
  }

  const panel = (page: Page, name: string) => page.getByRole("navigation").getByRole("button", { name });
  const log = (page: Page) => page.getByRole("log", { name: "Transcript" });
  async function isInSight(page: Page, text: string): Promise<boolean> {
    const message = log(page).getByText(text, { exact: true });
    if ((await message.count()) === 0) return false;
    const [box, frame] = await Promise.all([message.boundingBox(), log(page).boundingBox()]);
    return box !== null && frame !== null && box.y >= frame.y && box.y + box.height <= frame.y + frame.height;
  }
  /** What a click downloads. */
  async function downloaded(page: Page, button: string): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
  }

  test("files of all kinds of dialects open, one after the other", async () => {
    await writePage(path("viewer.html"));
    const { page, troubles } = await open(pathToFileURL(path("viewer.html")).href);
    for (const [title, file] of fixtures) {
      await page.locator("input[type=file]").setInputFiles(fixture(file));
      await page.getByRole("heading", { name: basename(file) }).waitFor();
      await page.getByText(title, { exact: true }).waitFor();
      await page.locator(".row").first().waitFor();
    }
    expect(troubles).toEqual([]);
  });

  test("a page with its transcript in it asks nobody for anything", async () => {
    const { page, troubles, html } = await openPage(conversation);
    await log(page).getByText("It prints “Hello, world”.").waitFor();
    const loaded: string[] = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => name),
    );
    expect(loaded.filter((name) => !name.startsWith("data:"))).toEqual([]);
    expect(page.url()).toBe(pathToFileURL(html).href);
    expect(troubles).toEqual([]);
  });

  test("is served with the key of the printed link, which leaves the address bar", async () => {
    const { link, url } = await startView([fixture("openclaw/branches.jsonl")]);
    const { page, troubles } = await open(link);
    await page.getByRole("heading", { name: "branches.jsonl" }).waitFor();
    expect(page.url()).toBe(`${url}/`);
    await page.reload();
    await page.getByRole("heading", { name: "branches.jsonl" }).waitFor();
    expect(troubles).toEqual([]);
  });

  test("without the key it says so, and a file can be picked", async () => {
    const { url } = await startView([fixture("openclaw/branches.jsonl")]);
    const wrong = await open(`${url}/#key=wrong`);
    await wrong.page.getByText("This link is no longer valid.").waitFor();
    const { page } = await open(`${url}/`);
    await page.locator("input[type=file]").setInputFiles(fixture("cline/success.json"));
    await page.getByText("Cline session messages").waitFor();
  });

  test("branches are walked with the keyboard, and from where they part", async () => {
    const { page, troubles } = await openPage(branches);
    await log(page).getByText("In Africa, I mean.").waitFor();
    expect(await log(page).getByText("In Europe, I mean.").count()).toBe(0);
    await panel(page, "Branches").click();
    const rows = page.getByRole("treeitem");
    expect(await rows.allTextContents()).toEqual([
      "Name a river.1",
      "In Europe, I mean.2",
      "In Africa, I mean.1",
    ]);
    await rows.nth(2).focus();
    await page.keyboard.press("ArrowUp");
    await log(page).getByText("In Europe, I mean.").waitFor();
    expect(await log(page).getByText("In Africa, I mean.").count()).toBe(0);
    expect(await rows.nth(1).getAttribute("aria-selected")).toBe("true");
    expect(await axeFindings(page)).toEqual([]);
    await log(page).getByText("1 of 2").waitFor();
    await log(page).getByRole("button", { name: "Next branch" }).click();
    await log(page).getByText("In Africa, I mean.").waitFor();
    expect(troubles).toEqual([]);
  });

  test("problems are listed, shown at their message, and lead there", async () => {
    const { page } = await openPage(broken);
    await page.getByText("2 errors, 0 warnings").waitFor();
    const list = page.getByRole("list", { name: "Problems", exact: true });
    expect(await list.getByRole("listitem").count()).toBe(2);
    await list.getByText("json/syntax").click();
    const there = log(page).getByRole("list", { name: "Problems in this message" });
    await there.getByText("json/syntax").waitFor();
    await panel(page, "JSON").click();
    await page.getByText('{"role":"user","content":"And no').waitFor();
  });

  test("says what a provider would refuse", async () => {
    const { page } = await openPage(lines({ role: "user", content: [], timestamp: 1 }));
    await panel(page, "Problems").click();
    await page.getByLabel("Check for provider").selectOption("anthropic");
    await page.getByRole("list", { name: "Problems", exact: true }).getByText("anthropic/").first().waitFor();
  });

  test("shows the JSON of a message, in the file and in the model", async () => {
    const { page } = await openPage(conversation);
    await log(page).getByText("What does greet.ts print?").hover();
    await log(page).getByRole("button", { name: "JSON" }).first().click();
    await page.getByText("Line 1, column 1").waitFor();
    await page
      .getByText('{"role":"user","content":"What does greet.ts print?","timestamp":1768469400000}')
      .waitFor();
    await page.getByRole("button", { name: "Dragoman model" }).click();
    await page.getByText('"timestamp": 1768469400000').waitFor();
  });

  test("lists the losses of a conversion, and downloads it", async () => {
    const { page, troubles } = await openPage(conversation);
    await panel(page, "Convert").click();
    await page.getByLabel("Convert to").selectOption("clawtools");
    const losses = page.getByRole("list", { name: "Losses" });
    await losses.getByRole("button", { name: "dropped 4 × timestamp" }).click();
    const places = page.getByRole("list", { name: "Places" });
    expect(await places.getByRole("listitem").allTextContents()).toEqual([
      "/0/timestamptimestamp (1768469400000)",
      "/1/timestamptimestamp (1768469402000)",
      "/2/timestamptimestamp (1768469403000)",
      "/3/timestamptimestamp (1768469404000)",
    ]);
    await places.getByText("/0/timestamp").click();
    const { name, text } = await downloaded(page, "Download");
    expect(name).toBe("transcript.clawtools.json");
    expect(JSON.parse(text)[0]).toEqual({ role: "user", content: "What does greet.ts print?" });
    expect(troubles).toEqual([]);
  });

  test("downloads itself as a page that opens by itself", async () => {
    const { link } = await startView([fixture("openclaw-turns/tool-loop.jsonl")]);
    const { page } = await open(link);
    await panel(page, "Convert").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as HTML" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("tool-loop.html");
    await download.saveAs(path("saved.html"));
    const saved = await open(pathToFileURL(path("saved.html")).href);
    await saved.page.getByRole("heading", { name: "tool-loop.jsonl" }).waitFor();
    await saved.page.locator(".row").first().waitFor();
    expect(saved.troubles).toEqual([]);
  });

  test("replays messages as they came", async () => {
    const { page } = await openPage(conversation);
    await log(page).getByText("It prints “Hello, world”.").waitFor();
    const scrub = page.getByRole("slider", { name: "Messages shown" });
    await scrub.fill("1");
    await page.getByText("1 / 4", { exact: true }).waitFor();
    expect(await log(page).getByText("Let me look.").count()).toBe(0);
    await page.getByLabel("Speed").selectOption("16");
    await page.getByRole("button", { name: "Replay" }).click();
    await log(page).getByText("It prints “Hello, world”.").waitFor();
    await page.getByText("4 / 4", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Replay" }).waitFor();
  });

  test("a replay shows the message that came last, also when it is moved back, until another is wanted", async () => {
    const many = Array.from({ length: 300 }, (_, at) => ({
      role: "user",
      content: `Message ${at + 1}.`,
      timestamp: 1768469400000 + at,
    }));
    const { page } = await openPage(lines(...many));
    await log(page).getByText("Message 1.", { exact: true }).waitFor();
    const scrub = page.getByRole("slider", { name: "Messages shown" });
    for (const shown of [200, 50, 120]) {
      await scrub.fill(String(shown));
      await expect.poll(() => isInSight(page, `Message ${shown}.`), patient).toBe(true);
    }
    await log(page).focus();
    await page.keyboard.press("j");
    await expect.poll(() => isInSight(page, "Message 1."), patient).toBe(true);
  });

  test("the timeline is walked with the keyboard, and tells of each message", async () => {
    const { page } = await openPage(conversation);
    const timeline = page.getByRole("slider", { name: "Timeline" });
    await timeline.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    expect(await timeline.getAttribute("aria-valuetext")).toMatch(
      /^2 of 4 · assistant · 470 tokens · \$0\.010 · 2\.0 s/,
    );
    await page.keyboard.press("End");
    expect(await timeline.getAttribute("aria-valuenow")).toBe("4");
  });

  test("what cannot be read is shown with its place, what to do, and as it is", async () => {
    const { page, troubles } = await openPage("Dear diary,\n");
    await page.getByRole("heading", { name: "Could not read transcript.jsonl" }).waitFor();
    await page.getByText("This is not a transcript of a known program.").waitFor();
    await page.getByText("If you know what wrote this file, choose it below.").waitFor();
    await page.getByText("Dear diary,").waitFor();
    await page.getByLabel("Read as").selectOption("openclaw");
    await page.getByText("Line 1, column 1").waitFor();
    expect(troubles).toEqual([]);
  });

  test("formulas are shown in a page that loads nothing", async () => {
    const content = "so \\(\\sqrt{2}\\)\n\n\\[\n\\mathbb{R}\n\n\\subset \\mathbb{C}\n\\]";
    const { page, troubles } = await openPage(lines({ role: "user", content, timestamp: 1 }));
    await page.locator("math msqrt").waitFor();
    expect(await page.locator('math[display="block"]').textContent()).toBe("ℝ⊂ℂ");
    expect(troubles).toEqual([]);
  });

  test("attacks do nothing, wherever in the file and its name they stand", async () => {
    const file = path("<img src=x onerror=alert(1)>\u202egpj.jsonl");
    writeFileSync(file, lines(...attackMessages()));
    const { page, troubles } = await openPage({ file });
    await page.locator(".row").first().waitFor();
    await panel(page, "JSON").click();
    for (const _ of attacks) await page.keyboard.press("j");
    await panel(page, "Convert").click();
    await page.getByLabel("Convert to").selectOption("cline");
    await page.getByRole("list", { name: "Losses" }).waitFor();
    expect(await page.locator("#root :is(script, iframe, object, embed, base, form, link)").count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  test.each([["on a phone", phone], ...soakOnly<[string, BrowserContextOptions]>(["on a desk", {}])])(
    "has no serious findings of axe in light and dark %s",
    async (_, options) => {
      const { page } = await openPage(broken, options);
      await page.locator(".row").first().waitFor();
      for (const name of ["Outline", "Problems", "Convert", "JSON"]) {
        const button = panel(page, name);
        if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
        expect(await axeFindingsInBothSchemes(page)).toEqual([]);
      }
    },
  );

  test("fits a phone", async () => {
    const { page } = await openPage(conversation, phone);
    await page.locator(".row").first().waitFor();
    await panel(page, "Problems").tap();
    await page.getByText("No problems found.").waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
  });
});
