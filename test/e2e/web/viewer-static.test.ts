import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { writePage } from "../../../src/cli/view/write-page.js";
import { soakOnly } from "../../generate/runs.js";
import { requireBuild } from "../../support/cli/run-cli.js";
import { startView } from "../../support/cli/view-process.js";
import { folderForEachTest } from "../../support/temporary-folder.js";
import { attackMessages } from "./attacks.js";
import { axeFindingsInBothSchemes } from "./axe.js";
import { browserForFile, hasBrowser, phone, tablet } from "./browser.js";
import { broken, conversation, lines, longWork } from "./viewer-transcripts.js";

const fixture = fileURLToPath(new URL("../../../conformance/claude-code/tool-calls.jsonl", import.meta.url));
/** Large enough for a worker. */
const large = longWork(200);

describe.skipIf(!hasBrowser)("the viewer as one static page", () => {
  beforeAll(requireBuild);
  const open = browserForFile();
  const path = folderForEachTest();

  async function openViewer(options?: Parameters<typeof open>[1]) {
    const html = path("viewer.html");
    await writePage(html);
    return open(pathToFileURL(html).href, options);
  }
  function put(name: string, text: string): string {
    writeFileSync(path(name), text);
    return path(name);
  }
  const choose = (page: Page, file: string) => page.locator("input[type=file]").setInputFiles(file);
  const panel = (page: Page, name: string) => page.getByRole("navigation").getByRole("button", { name });
  const targets = (page: Page) => page.getByRole("region", { name: "Where can this go?" });
  const compared = (page: Page) => targets(page).getByText(/^\d+ of 26 dialects would lose nothing\.$/);
  /** Drops a file somewhere on the page, as a file manager does. */
  const drop = (page: Page, name: string, text: string) =>
    page.evaluate(
      ([fileName, content]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], fileName));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      },
      [name, text] as const,
    );
  const loaded = (page: Page): Promise<string[]> =>
    page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => name.split(":", 1)[0] ?? ""),
    );

  test("looks at a file, checks it and converts it, and loads nothing", async () => {
    const { page, troubles } = await openViewer();
    await page.getByRole("heading", { name: "View a transcript" }).waitFor();
    await drop(page, "broken.jsonl", broken);
    await page.getByRole("heading", { name: "broken.jsonl" }).waitFor();
    await page.getByText("2 errors, 0 warnings").waitFor();
    await choose(page, fixture);
    await page.getByRole("heading", { name: "tool-calls.jsonl" }).waitFor();
    await panel(page, "Convert").click();
    await compared(page).waitFor();
    await targets(page).getByRole("button", { name: "Cline session messages" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download", exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("tool-calls.cline.json");
    expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toMatchObject({ version: 1 });
    expect((await loaded(page)).filter((scheme) => scheme !== "data" && scheme !== "blob")).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test("its policy forbids connections", async () => {
    const { page } = await openViewer();
    const refused = await page.evaluate(async () => {
      const violation = new Promise<string>((resolve) => {
        addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
      });
      await fetch("https://evil.example/").catch(() => undefined);
      return violation;
    });
    expect(refused).toBe("connect-src");
  });

  test("makes a page with the transcript in it that opens by itself", async () => {
    const { page } = await openViewer();
    await choose(page, put("talk.jsonl", conversation));
    await panel(page, "Convert").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as HTML" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("talk.html");
    await download.saveAs(path("saved.html"));
    const saved = await open(pathToFileURL(path("saved.html")).href);
    await saved.page.getByText("It prints “Hello, world”.").waitFor();
    expect(saved.troubles).toEqual([]);
  });

  test("a large file is read, checked, converted and shown by a worker", async () => {
    expect(large.length).toBeGreaterThan(1_000_000);
    const { page, troubles } = await openViewer();
    await choose(page, put("large.jsonl", large));
    await page.getByRole("heading", { name: "large.jsonl" }).waitFor();
    expect(page.workers().length).toBe(1);
    await panel(page, "Problems").click();
    await page.getByText("No problems found.").waitFor();
    await panel(page, "JSON").click();
    await page.locator("body").press("j");
    await page.getByText("Line 1, column 1").waitFor();
    await page
      .getByText('{"role":"user","content":"Tell me about river 0.","timestamp":1768469400000}')
      .waitFor();
    await panel(page, "Convert").click();
    await page.getByLabel("Convert to").selectOption("openclaw");
    await page.getByText("No losses.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download", exact: true }).click(),
    ]);
    expect(readFileSync(await download.path(), "utf8") === large).toBe(true);
    await choose(page, put("small.jsonl", conversation));
    await page.getByRole("heading", { name: "small.jsonl" }).waitFor();
    expect(page.workers().length).toBe(0);
    expect(troubles).toEqual([]);
  });

  test("a large file with nothing readable in it fails with its place, from a worker, too", async () => {
    const { page } = await openViewer();
    await choose(page, put("diary.jsonl", "Dear diary,\n".repeat(100_000)));
    await page.getByRole("heading", { name: "Could not read diary.jsonl" }).waitFor();
    await page.getByText("convert/undetected").waitFor();
    await page.getByLabel("Read as").selectOption("openclaw");
    await page.getByText("Line 1, column 1").waitFor();
  });

  test("where workers are forbidden, a large file is read by the page", async () => {
    const { page } = await openViewer();
    await page.evaluate(() => {
      window.Worker = class {
        constructor() {
          throw new DOMException("forbidden", "SecurityError");
        }
      } as never;
    });
    await choose(page, put("large.jsonl", large));
    await page.getByRole("heading", { name: "large.jsonl" }).waitFor();
    await page.locator(".row").first().waitFor();
    expect(page.workers().length).toBe(0);
  });

  test("a served page has a worker, too, under a policy of its own", async () => {
    const { link } = await startView([put("large.jsonl", large)]);
    const { page, troubles } = await open(link);
    await page.getByRole("heading", { name: "large.jsonl" }).waitFor();
    const [worker] = page.workers();
    const script = worker?.url() ?? "";
    expect(script).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/assets\/page-[\w-]+\.js$/);
    expect((await fetch(script)).headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'",
    );
    await panel(page, "Convert").click();
    await page.getByRole("button", { name: "Compare all dialects" }).waitFor();
    expect(troubles).toEqual([]);
  });

  test("a file that cannot be converted states why, once", async () => {
    const { page } = await openViewer();
    await choose(page, put("broken.jsonl", broken));
    await panel(page, "Convert").click();
    await targets(page).getByRole("alert").waitFor();
    expect(await targets(page).getByRole("row").count()).toBe(0);
  });

  test("attacks do nothing among losses and targets", async () => {
    const { page, troubles } = await openViewer();
    await choose(page, put("attacks.jsonl", lines(...attackMessages())));
    await panel(page, "Convert").click();
    await compared(page).waitFor();
    await page.getByLabel("Convert to").selectOption("clawtools");
    for (const group of await page.getByRole("list", { name: "Losses" }).locator("> li > button").all()) {
      await group.click();
    }
    expect(await page.locator("#root :is(script, iframe, object, embed, base, form, link)").count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  test("everything is done with the keyboard alone", async () => {
    const { page } = await openViewer();
    await page.getByRole("heading", { name: "View a transcript" }).waitFor();
    const focusOn = async (name: string) => {
      for (let tabs = 0; tabs < 60; tabs++) {
        await page.keyboard.press("Tab");
        const label = await page.evaluate(() => {
          const focused = document.activeElement;
          const field = focused instanceof HTMLInputElement ? focused.labels?.[0] : undefined;
          return focused?.getAttribute("aria-label") ?? (field ?? focused)?.textContent;
        });
        if (label?.startsWith(name)) return;
      }
      throw new Error(`the focus did not come to ${name}`);
    };
    await focusOn("Drop a file here, or choose one");
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Space")]);
    await chooser.setFiles(put("talk.jsonl", conversation));
    await page.locator(".row").first().waitFor();
    await focusOn("Convert");
    await page.keyboard.press("Enter");
    await compared(page).waitFor();
    await focusOn("clawtools message array");
    await page.keyboard.press("Enter");
    await focusOn("dropped4 ×timestamp");
    await page.keyboard.press("Enter");
    await focusOn("/2/timestamp");
    await page.keyboard.press("Enter");
    await page.locator(".row", { has: page.locator(".viewer-here") }).waitFor();
  });

  test.each([
    ["on a phone", phone],
    ...soakOnly<[string, BrowserContextOptions]>(["on a desk", {}], ["on a tablet", tablet]),
  ])("is accessible in light and dark, and fits %s", async (_, options) => {
    const { page } = await openViewer(options);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await page.getByRole("heading", { name: "View a transcript" }).waitFor();
    expect(await axeFindingsInBothSchemes(page)).toEqual([]);
    await choose(page, fixture);
    await panel(page, "Convert").click();
    await compared(page).waitFor();
    await page.getByLabel("Convert to").selectOption("cline");
    await page.getByRole("list", { name: "Losses" }).locator("> li > button").first().click();
    expect(await axeFindingsInBothSchemes(page)).toEqual([]);
    expect(await width()).toBeLessThanOrEqual(0);
  });
});
