import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { attacks } from "./attacks.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";
import { whatCouldAct } from "./read-transcript.js";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const pixel = { name: "pixel.png", mimeType: "image/png", buffer: Buffer.from(PIXEL, "base64") };
const report = { name: "report.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n\xff\x00") };

const gateway = gatewayForFile({
  model: "demo/script",
  models: {
    "demo/script": { input: ["text", "image"] },
    "demo/echo": { input: ["text", "image", "file"] },
  },
});
const open = browserForFile();

async function visit(options = {}) {
  const { page, troubles } = await open(gateway().link, options);
  const chat = chatOn(page);
  await page.getByRole("button", { name: "Model: demo/script" }).waitFor();
  return { page, troubles, chat, picker: page.getByLabel("Files", { exact: true }) };
}

/** The stored message of the user, in the session that the page shows. */
function storedMessage(page: Page) {
  const id = page.url().split("/").at(-1);
  const lines = readFileSync(join(gateway().home, "agents/main/sessions", `${id}.jsonl`), "utf8");
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .find(({ role }) => role === "user");
}

/** Drops a file on an element, as a person does with a mouse. */
async function dropOn(page: Page, selector: string, name: string, text: string): Promise<boolean> {
  return page.evaluate(
    ([where = "", file = "", content = ""]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file, { type: "text/plain" }));
      const target = document.querySelector(where);
      const event = (type: string) => new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
      target?.dispatchEvent(event("dragover"));
      return target?.dispatchEvent(event("drop")) === false;
    },
    [selector, name, text],
  );
}

describe.skipIf(!hasBrowser)("attachments", () => {
  test("files are refused one by one with the reason, and the others are sent", async () => {
    const { page, troubles, chat, picker } = await visit();
    await picker.setInputFiles([
      pixel,
      report,
      { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.from("") },
      { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("one,two") },
      { name: "main.rs", mimeType: "application/x-thing", buffer: Buffer.from("fn main() {}") },
    ]);
    const problems = page.getByRole("alert").getByRole("paragraph");
    await problems.first().waitFor();
    expect(await problems.allTextContents()).toEqual([
      "report.pdf cannot be attached: demo/script does not accept application/pdf.",
      "empty.txt is empty, or a folder.",
    ]);
    expect(await page.getByRole("list", { name: "Attachments" }).getByRole("listitem").count()).toBe(3);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove main.rs" }).click();
    await chat.say("say: I see.");
    await chat.answer("I see.").waitFor();
    expect(await problems.count()).toBe(0);
    expect(storedMessage(page).content).toEqual([
      { type: "text", text: "say: I see." },
      { type: "image", data: PIXEL, mimeType: "image/png", name: "pixel.png" },
      { type: "file", data: "b25lLHR3bw==", mimeType: "text/csv", name: "list.csv" },
    ]);
    await chat.log.getByText("list.csv").waitFor();
    expect(troubles).toEqual([]);
  });

  test("a model that accepts files gets a PDF", async () => {
    const { page, troubles, chat, picker } = await visit();
    await page.getByRole("button", { name: "Model: demo/script" }).click();
    await page.getByRole("menuitemradio", { name: "demo/echo" }).click();
    await picker.setInputFiles(report);
    await page.getByRole("list", { name: "Attachments" }).getByText("report.pdf").waitFor();
    await chat.say("Read this");
    await chat.answer("Read this").waitFor();
    expect(storedMessage(page).content[1]).toMatchObject({ type: "file", mimeType: "application/pdf" });
    expect(troubles).toEqual([]);
  });

  test("a long pasted text becomes a file, and a short one does not", async () => {
    const { page, troubles, chat } = await visit();
    const paste = (text: string) =>
      chat.field.evaluate((field, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", pasted);
        const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData });
        return field.dispatchEvent(event) === false;
      }, text);
    expect(await paste("a few words")).toBe(false);
    expect(await paste("line of a log\n".repeat(1000))).toBe(true);
    await page.getByRole("list", { name: "Attachments" }).getByText("Pasted text.txt").waitFor();
    await page.getByText("14 kB").waitFor();
    expect(await chat.field.inputValue()).toBe("");
    expect(troubles).toEqual([]);
  });

  test("a file dropped anywhere is attached, and no page is replaced by one", async () => {
    const { page, troubles } = await visit();
    expect(await dropOn(page, ".side-bar", "notes.txt", "dropped")).toBe(true);
    await page.getByRole("list", { name: "Attachments" }).getByText("notes.txt").waitFor();
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    expect(await dropOn(page, ".side-bar", "notes.txt", "dropped")).toBe(true);
    expect(troubles).toEqual([]);
  });

  test("an image opens in full size by keyboard, and a broken one is a file", async () => {
    const { page, troubles, chat, picker } = await visit();
    await picker.setInputFiles([
      pixel,
      { name: "broken.png", mimeType: "image/png", buffer: Buffer.from("no image") },
    ]);
    await page.getByRole("img", { name: "pixel.png" }).waitFor();
    await chat.say("say: I see.");
    await chat.answer("I see.").waitFor();
    await chat.log.getByRole("button", { name: /Image broken\.png/ }).waitFor();
    const picture = chat.log.getByRole("button", { name: "Open pixel.png" });
    await picture.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "pixel.png" });
    await dialog.getByRole("img", { name: "pixel.png" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save" }).click();
    expect((await saved).suggestedFilename()).toBe("pixel.png");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(troubles).toEqual([]);
  });

  test.each([
    ["a phone in the dark", { ...phone, colorScheme: "dark" as const }, 390],
    ["a large screen", { viewport: { width: 2560, height: 1440 } }, 2560],
  ])("names of files are only text, on %s", async (_, options, width) => {
    const { page, troubles, chat, picker } = await visit(options);
    const text = Buffer.from("words");
    const files = attacks
      .slice(0, 30)
      .map((attack) => ({ name: attack.replaceAll("/", "_"), mimeType: "text/plain", buffer: text }));
    await picker.setInputFiles(files);
    await page.getByRole("list", { name: "Attachments" }).getByRole("listitem").nth(29).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await axeFindings(page)).toEqual([]);
    await chat.field.fill("say: I see.");
    await page.getByRole("button", { name: "Send" }).click();
    await chat.answer("I see.").waitFor();
    const { shown: _shown, ...found } = await whatCouldAct(page);
    expect(found).toEqual({ elements: [], handlers: [], addresses: [] });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(troubles).toEqual([]);
  });
});
