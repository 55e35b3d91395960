import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/index.js";
import { openHome } from "../../../src/log/files/home.js";
import { programs } from "../../../src/runtime/sources/programs.js";
import { attacks } from "./attacks.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser, phone, tablet } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";
import { whatCouldAct } from "./read-transcript.js";

const CLAUDE = "0f0d2f4e-1111-4222-8333-444455556666";
const hostile = attacks.join(" ");

async function claudeLines(...texts: string[]): Promise<string> {
  const now = Date.now();
  const messages = texts.map((content, at) => ({ role: "user", content, timestamp: now + at }));
  const header = { role: "session", id: CLAUDE, ext: { meta: { cwd: "/srv/lighthouse" } }, timestamp: now };
  const lines = [header, ...messages].map((line) => JSON.stringify(line)).join("\n");
  return (await convert(`${lines}\n`, { from: "openclaw", to: "claude-code" })).output;
}

const fileOf = (home: string) => join(home, "elsewhere/-work", `${CLAUDE}.jsonl`);

/** A chat on Telegram, a session of Claude Code, and 70 messages with one word. */
const gateway = gatewayForFile({}, async (home) => {
  mkdirSync(join(home, "elsewhere/-work"), { recursive: true });
  writeFileSync(fileOf(home), await claudeLines("Where is the lighthouse?", hostile));
  const off = Object.keys(programs).filter((name) => name !== "claude-code");
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({
      model: "demo/script",
      agents: { main: {}, research: {} },
      sources: {
        ...Object.fromEntries(off.map((name) => [name, false])),
        "claude-code": { roots: [join(home, "elsewhere")] },
      },
    }),
  );
  const log = openHome(home);
  const phoneChat = await log.create({ agent: "research", key: "agent:research:telegram:dm:42" });
  await phoneChat.append([{ role: "user", content: "A question from a phone", timestamp: Date.now() - 1e9 }]);
  await phoneChat.close();
  const long = await log.create({ agent: "main" });
  await long.append(
    Array.from({ length: 70 }, (_, at) => ({
      role: "user" as const,
      content: `gull ${at}`,
      timestamp: Date.now() - 1000 + at,
    })),
  );
  await long.close();
});
const open = browserForFile();

const sizes: [string, BrowserContextOptions][] = [
  ["a desktop", {}],
  ["a tablet in the dark", { ...tablet, colorScheme: "dark" }],
  ["a phone", phone],
];

describe.skipIf(!hasBrowser)("sessions of all programs", () => {
  test.each(sizes)("are filtered on %s", async (_, options) => {
    const { page, troubles } = await open(`${gateway().link}`, options);
    await page.getByRole("heading", { name: "Recent sessions" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "All sessions" }).click();
    const main = page.getByRole("main");
    await main.getByRole("link", { name: /A question from a phone.*Telegram.*research/ }).waitFor();
    await main.getByRole("button", { name: "Program", exact: true }).click();
    await page.getByRole("menuitemradio", { name: /^Claude Code/ }).click();
    await main.getByRole("link", { name: /A question from a phone/ }).waitFor({ state: "detached" });
    await main.getByRole("link", { name: /Where is the lighthouse\?.*Claude Code/ }).waitFor();
    await main.getByRole("button", { name: "Clear filters" }).click();
    await main.getByRole("button", { name: "Channel", exact: true }).click();
    await page.getByRole("menuitemradio", { name: /^Telegram/ }).click();
    await main.getByRole("link", { name: /Where is the lighthouse/ }).waitFor({ state: "detached" });
    await main.getByRole("button", { name: "Date", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "Last 7 days" }).click();
    await page.getByText("No session matches these filters.").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const { width } = options.viewport ?? { width: 1280 };
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(troubles).toEqual([]);
  });

  test("are searched together, by keyboard, with how many there are", async () => {
    const { page, troubles } = await open(gateway().link);
    await page.getByRole("heading", { name: "Recent sessions" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("gull");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByText("60 of 70 matches, in 1 session").waitFor();
    await dialog.getByRole("combobox").fill("lighthouse");
    await dialog.getByRole("option", { name: /Claude Code.*User/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Where is the lighthouse?" }).waitFor();
    expect(page.url()).toContain(`#/foreign/claude-code/${CLAUDE}`);
    expect(troubles).toEqual([]);
  });

  test("of another program are followed while it writes, and continued elsewhere", async () => {
    const { page, troubles } = await open(gateway().link);
    await page.getByRole("heading", { name: "Recent sessions" }).waitFor();
    await page.goto(`${gateway().url}/#/foreign/claude-code/${CLAUDE}`);
    await page.getByText("Written by Claude Code, and never changed here.").waitFor();
    const { shown: _, ...found } = await whatCouldAct(page);
    expect(found).toEqual({ elements: [], handlers: [], addresses: [] });
    const lines = (await claudeLines("x", "On the hill, since yesterday")).trim().split("\n");
    appendFileSync(fileOf(gateway().home), `${lines.at(-1)}\n`);
    await page.getByRole("log").getByText("On the hill, since yesterday").waitFor();

    await page.getByRole("button", { name: "Continue in…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Continue “Where is the lighthouse/ });
    await dialog.getByLabel("Program").selectOption("opencode");
    await dialog.getByRole("table", { name: "What is lost or changed" }).waitFor();
    await dialog.getByLabel("Folder on the gateway's computer").fill(gateway().home);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText(/written for opencode/).waitFor();
    const command = await dialog.locator("code").textContent();
    const written = / import (\S+) /.exec(command ?? "")?.[1] ?? "";
    expect(readFileSync(written, "utf8")).toContain("On the hill, since yesterday");
    await dialog.getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "Continue in…" }).click();
    await dialog.getByText("Creates a copy that you can continue here.").waitFor();
    await dialog.getByRole("button", { name: "Continue" }).click();
    const chat = chatOn(page);
    await chat.say("say: At the harbour");
    await chat.answer("At the harbour").waitFor();
    expect(troubles).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)("a conversation", () => {
  test("is exported, shared, continued and forked on a phone in the dark", async () => {
    const { page, troubles } = await open(gateway().link, { ...phone, colorScheme: "dark" });
    const chat = chatOn(page);
    await chat.field.fill("say: Small and dark");
    await page.getByRole("button", { name: "Send" }).tap();
    await chat.answer("Small and dark").waitFor();
    const choose = async (item: string) => {
      await page
        .locator("header")
        .getByRole("button", { name: /^Menu for/ })
        .tap();
      await page.getByRole("menuitem", { name: item }).tap();
      return page.getByRole("dialog");
    };
    const expectFit = async () => {
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      expect(await axeFindings(page)).toEqual([]);
    };
    const exporting = await choose("Export…");
    await exporting.getByLabel("Format").selectOption("cline");
    await exporting.getByRole("table", { name: "What is lost or changed" }).waitFor();
    await expectFit();
    const saved = page.waitForEvent("download");
    await exporting.getByRole("button", { name: "Download" }).tap();
    expect((await saved).suggestedFilename()).toMatch(/\.cline\.json$/);

    const continuing = await choose("Continue in…");
    await continuing.getByLabel("Program").selectOption("codex");
    await continuing.getByRole("table", { name: "What is lost or changed" }).waitFor();
    await expectFit();
    await continuing.getByRole("button", { name: "Cancel" }).tap();

    const sharing = await choose("Share…");
    await sharing.getByRole("button", { name: "Create link" }).tap();
    await sharing.locator("code").waitFor();
    await expectFit();
    await sharing.getByRole("button", { name: "Close" }).tap();

    await page.getByRole("button", { name: "Fork here with another model" }).tap();
    await page.getByRole("searchbox", { name: "Filter" }).fill("demo/echo");
    await expectFit();
    await page.getByRole("menuitem", { name: "demo/echo" }).tap();
    await page.getByRole("button", { name: "Model: demo/echo" }).waitFor();
    await expectFit();
    expect(troubles).toEqual([]);
  });

  test("is forked with another model, and its versions are switched at the message", async () => {
    const { page, troubles } = await open(gateway().link);
    const chat = chatOn(page);
    await chat.say("say: The first version");
    await chat.answer("The first version").waitFor();
    await page.getByRole("button", { name: "Edit and fork" }).click();
    await page.getByRole("textbox", { name: "Write a message" }).fill("say: The second version");
    await page.keyboard.press("Enter");
    await chat.answer("The second version").waitFor();
    await page.getByRole("group", { name: "Versions of this part" }).getByText("2/2").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Previous version" }).click();
    await chat.answer("The first version").waitFor();
    await page.getByRole("group", { name: "Versions of this part" }).getByText("1/2").waitFor();

    await page.getByRole("button", { name: "Fork here with another model" }).click();
    const menu = page.getByRole("menu", { name: "Fork here with another model" });
    await menu
      .getByRole("menuitem", { name: /claude.*needs ANTHROPIC_API_KEY/ })
      .first()
      .waitFor();
    expect(
      await menu
        .getByRole("menuitem", { name: /claude.*needs/ })
        .first()
        .isDisabled(),
    ).toBe(true);
    await page.getByRole("searchbox", { name: "Filter" }).fill("demo/echo");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Model: demo/echo" }).waitFor();
    await chat.say("an echo");
    await chat.answer("an echo").waitFor();
    expect(troubles).toEqual([]);
  });

  test("folds failed attempts, and the side bar closes and opens by keyboard", async () => {
    const { page, troubles } = await open(gateway().link);
    const chat = chatOn(page);
    await chat.say("fail: overloaded");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "1 failed attempt" }).waitFor();
    expect(await chat.log.locator(".row[data-kind=user]").count()).toBe(1);
    await page.getByRole("button", { name: "1 failed attempt" }).click();
    await expect.poll(() => chat.log.locator(".row[data-kind=user]").count()).toBe(2);

    const edge = page.getByRole("separator", { name: "Side bar width" });
    await edge.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await chat.sideBar.boundingBox())?.width).toBe(296);
    await page.keyboard.press("Control+b");
    await chat.sideBar.waitFor({ state: "hidden" });
    await page.reload();
    await page.getByRole("button", { name: "Open the side bar" }).click();
    await chat.sideBar.waitFor();
    expect((await chat.sideBar.boundingBox())?.width).toBe(296);
    await page.keyboard.press("Control+Shift+O");
    await page.getByRole("heading", { name: "How can I help?" }).waitFor();
    expect(troubles).toEqual([]);
  });
});
