import { createRequire } from "node:module";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { soakOnly } from "../../generate/runs.js";
import { axeFindingsInBothSchemes } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";

const everything = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

/** A released server that asks for everything that a form can have, and one that cannot be started. */
const gateway = gatewayForFile({
  model: "demo/script",
  agents: { main: { permissions: [{ tool: "everything/*", action: "allow" }] } },
  mcpServers: {
    everything: { command: process.execPath, args: [everything, "stdio"] },
    gone: { command: "no-such-server" },
  },
});
const open = browserForFile();

const ASK = "call: everything__trigger-elicitation-request {}\n---\nsay: Done.";
const GONE = 'MCP server gone is not available: the program "no-such-server" was not found';

/** The page with the server's question. */
async function ask(options: BrowserContextOptions) {
  const { page, troubles } = await open(gateway().link, options);
  const chat = chatOn(page);
  await page.getByText(GONE).waitFor();
  const notice = await axeFindingsInBothSchemes(page);
  await chat.field.fill(ASK);
  // On a phone Enter begins a new line.
  await page.getByRole("button", { name: "Send" }).click();
  const form = page.getByRole("alert").filter({ hasText: "everything asks" });
  await form.getByRole("button", { name: "Send" }).waitFor();
  return { page, troubles, chat, form, notice };
}

/** Presses Tab until the control with this label has the focus. */
async function tabTo(page: Page, label: RegExp): Promise<void> {
  const wanted = page.getByLabel(label);
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${label}`);
}

const NONE = { x: -1, y: -1, width: 0, height: 0 };

const sizes: readonly [name: string, BrowserContextOptions][] = [
  ["phone", phone],
  ...soakOnly<[string, BrowserContextOptions]>(
    ["tablet", { viewport: { width: 820, height: 1180 } }],
    ["desktop", {}],
  ),
];

describe.skipIf(!hasBrowser).each(sizes)("an MCP server's form on a %s", (_name, size) => {
  test("fits and is accessible, in light and dark", async () => {
    const { page, troubles, chat, form, notice } = await ask(size);
    expect(notice).toEqual([]);
    expect(await axeFindingsInBothSchemes(page)).toEqual([]);
    const { width, height } = page.viewportSize() ?? NONE;
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    for (const name of ["Send", "Decline"]) {
      // In view without scrolling, however long the form is.
      const {
        x,
        y,
        width: wide,
        height: high,
      } = (await form.getByRole("button", { name }).boundingBox()) ?? NONE;
      expect([x >= 0, y >= 0, x + wide <= width, y + high <= height]).toEqual([true, true, true, true]);
    }
    await form.getByRole("button", { name: "Decline" }).click();
    await chat.answer("Done.").waitFor();
    expect(troubles).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)("an MCP server's form by keyboard only", () => {
  test("is filled in and sent; the server gets typed values", async () => {
    const { page, troubles, chat } = await ask({});
    await tabTo(page, /Your full, legal name/);
    await page.keyboard.type("Ann");
    await tabTo(page, /Agree to the terms/);
    await page.keyboard.press("Space");
    await tabTo(page, /Your favorite integer/);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    await chat.answer("Done.").waitFor();
    await chat.log.getByRole("button", { name: /^everything__trigger-elicitation-request/ }).press("Enter");
    const inputs = chat.log.getByText("User inputs:").first();
    await inputs.waitFor();
    const text = await inputs.innerText();
    expect(text).toContain("- Name: Ann\n- Agreed to terms: true\n- Favorite Integer: 7\n");
    expect(troubles).toEqual([]);
  });

  test("is declined", async () => {
    const { page, chat, form } = await ask({});
    await form.getByRole("button", { name: "Decline" }).focus();
    await page.keyboard.press("Enter");
    await chat.answer("Done.").waitFor();
    await form.waitFor({ state: "detached" });
  });
});
