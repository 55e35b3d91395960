import { describe, expect, test } from "vitest";
import type { AgentMessage } from "../../../src/core/types.js";
import { openHome } from "../../../src/log/files/home.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";

const MESSAGES = 10_000;

const gateway = gatewayForFile({ model: "demo/script" }, async (home) => {
  const session = await openHome(home).create({ agent: "main", title: "A long story" });
  const messages = Array.from(
    { length: MESSAGES },
    (_, index): AgentMessage => ({
      role: "user",
      content: index === 3 ? "Here the marmalade was mentioned." : `Line ${index} of the story.`,
      timestamp: 1_740_000_000_000 + index,
    }),
  );
  await session.append(messages);
  await session.close();
});
const open = browserForFile();

async function visit(options?: Parameters<typeof open>[1]) {
  const { page, troubles } = await open(gateway().link, options);
  await page.getByRole("heading", { name: "How can I help?" }).waitFor();
  return { page, troubles, chat: chatOn(page) };
}

describe.skipIf(!hasBrowser)("on a phone", () => {
  test("the side bar is a drawer, and everything fits", async () => {
    const { page, troubles, chat } = await visit(phone);
    await chat.field.fill("say: A word from a small page.");
    await page.getByRole("button", { name: "Send" }).tap();
    await chat.answer("A word from a small page.").waitFor();
    await page.getByRole("button", { name: /\d+ tokens/ }).tap();
    await page.getByRole("dialog", { name: "Session usage" }).waitFor();
    await page.keyboard.press("Escape");
    const link = chat.sideBar.getByRole("link", { name: "A long story" });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Open the side bar" }).tap();
    await link.tap();
    await chat.log.getByText(`Line ${MESSAGES - 1} of the story.`).waitFor();
    await link.waitFor({ state: "hidden" });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await axeFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)("a long session", () => {
  test("is loaded backwards while one scrolls, and what is read stays where it is", async () => {
    const { page, troubles, chat } = await visit();
    await chat.sideBar.getByRole("link", { name: "A long story" }).click();
    await chat.log.getByText(`Line ${MESSAGES - 1} of the story.`).waitFor();
    const height = () => chat.log.evaluate(({ scrollHeight }) => scrollHeight);
    for (let pages = 0; pages < 3; pages++) {
      const before = await height();
      await chat.log.evaluate((scroller) => {
        scroller.scrollTop = 500;
      });
      // A line in the middle of the page, once the list has one there.
      const seen = await page.waitForFunction(() => {
        for (const row of document.querySelectorAll(".row-content")) {
          const { top } = row.getBoundingClientRect();
          if (top > 200 && top < 600) return { text: row.textContent, top };
        }
        return undefined;
      });
      const { text = "", top = 0 } = (await seen.jsonValue()) ?? {};
      await expect.poll(height, { timeout: 15_000 }).toBeGreaterThan(before);
      const moved = async () =>
        ((await chat.log.getByText(text, { exact: true }).boundingBox())?.y ?? 0) - top;
      await expect.poll(async () => Math.abs(await moved()), { timeout: 15_000 }).toBeLessThan(20);
    }
    expect(troubles).toEqual([]);
  });

  test("is searched to its beginning", async () => {
    const { page, troubles, chat } = await visit();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("marmalade");
    await page.getByRole("option").filter({ hasText: "marmalade" }).click();
    await chat.log.getByText("Here the marmalade was mentioned.").waitFor();
    await expect.poll(() => chat.log.getByText("Here the marmalade was mentioned.").isVisible()).toBe(true);
    expect(troubles).toEqual([]);
  });
});
