import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";

const foreign = "6f0d2f4e-2b1c-4d7e-9f00-000000000001";
const time = '"timestamp":"2026-01-05T09:00:01.000Z"';
const said = (entry: string, parent: string, text: string) =>
  `{"type":"message","id":"${entry}","parentId":${parent},${time},"message":{"role":"user","content":"${text}","timestamp":1767603601000}}`;

/** A session file of another program, with two branches. */
async function withForeignSession(home: string): Promise<void> {
  const folder = join(home, "agents/main/sessions");
  mkdirSync(folder, { recursive: true });
  const lines = [
    `{"type":"session","version":3,"id":"${foreign}",${time},"cwd":"/home/ada/engine"}`,
    said("e1", "null", "Count to three."),
    said("e2", '"e1"', "Never mind."),
    said("e3", '"e1"', "In French."),
  ];
  writeFileSync(join(folder, `${foreign}.jsonl`), `${lines.join("\n")}\n`);
}

const gateway = gatewayForFile({ model: "demo/script" }, withForeignSession);
const open = browserForFile();

/** The tab that a click opens. */
async function tabOf(page: Page, click: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([page.waitForEvent("popup"), click()]);
  return tab;
}

describe.skipIf(!hasBrowser)("a session in the viewer", () => {
  test("is opened from its menu, also with a token that is kept for one tab", async () => {
    const { page } = await open(gateway().url);
    await page.getByLabel("Token", { exact: true }).fill(gateway().link.replace(/.*token=/, ""));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "How can I help?" }).waitFor();
    const chat = chatOn(page);
    await chat.say("say: Look at **this**.");
    await chat.answer("Look at this.").waitFor();
    await page
      .locator("header")
      .getByRole("button", { name: /^Menu for/ })
      .click();
    const tab = await tabOf(page, () => page.getByRole("menuitem", { name: "Open in viewer" }).click());
    await tab.getByRole("heading", { name: "say: Look at **this**." }).waitFor();
    await tab.locator(".row[data-kind=agent]").getByText("Look at this.", { exact: true }).waitFor();
    await tab.getByRole("button", { name: /^Problems/ }).click();
    await tab.getByText("No problems found.").waitFor();
    expect(tab.url()).toMatch(/\/view#session=[0-9A-Z]{26}$/);
    await tab.reload();
    await tab.locator(".row[data-kind=agent]").getByText("Look at this.", { exact: true }).waitFor();
  });

  test("that another program wrote is led to, with its branches", async () => {
    const { page } = await open(gateway().link);
    const chat = chatOn(page);
    await chat.sideBar.getByRole("link", { name: "Count to three." }).click();
    await page.getByText("Written by another program, and never changed here.").waitFor();
    expect(await chat.field.count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    const tab = await tabOf(page, () => page.getByRole("button", { name: "Open in viewer" }).click());
    await tab.getByRole("log").getByText("In French.").waitFor();
    await tab.getByRole("button", { name: /^Branches/ }).waitFor();
  });

  test("says what to do where there is no token, or no such session", async () => {
    const { page } = await open(`${gateway().url}/view#session=01J00000000000000000000000`);
    await page.getByRole("alert").getByText("This tab is not signed in to the gateway.").waitFor();
    await page.evaluate(`localStorage.setItem("dragoman.token", "dgm_wrong")`);
    await page.reload();
    await page.getByRole("alert").getByText("no longer accepts this token").waitFor();
    await page.evaluate(
      `localStorage.setItem("dragoman.token", ${JSON.stringify(gateway().link.replace(/.*token=/, ""))})`,
    );
    await page.reload();
    await page.getByRole("alert").getByText("there is no session").waitFor();
  });
});
