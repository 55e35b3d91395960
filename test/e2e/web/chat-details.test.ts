import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TokenStore } from "../../../src/gateway/auth/token-store.js";
import { openCells } from "../../../src/log/files/cells.js";
import { browserForFile, hasBrowser } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";

let readOnly = "";
const gateway = gatewayForFile({ model: "demo/script" }, async (home) => {
  readOnly = (await new TokenStore(openCells(home)).create("reader", "read")).secret;
});
const open = browserForFile();

async function visit(link = gateway().link) {
  const { page, troubles } = await open(link);
  await page.getByRole("heading", { name: "How can I help?" }).waitFor();
  return { page, troubles, chat: chatOn(page) };
}

describe.skipIf(!hasBrowser)("in the chat", () => {
  test("a tool that was allowed runs, and then is finished, while the next one waits", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say(
      'call: exec {"command":"echo one"}\ncall: exec {"command":"echo two; sleep 30"}\n---\nsay: done',
    );
    const cards = chat.log.locator(".tool");
    await page.getByText("echo one").first().waitFor();
    await page
      .getByRole("button", { name: /^Allow once/ })
      .first()
      .click();
    await page
      .getByRole("button", { name: /^Allow once/ })
      .first()
      .click();
    await cards
      .filter({ hasText: "echo two" })
      .getByText(/running/)
      .waitFor();
    await cards
      .filter({ hasText: "echo one" })
      .getByText(/finished/)
      .waitFor();
    expect(await page.getByText("needs your permission").count()).toBe(0);
    await chat.stop();
    expect(troubles).toEqual([]);
  }, 60_000);

  test("a double click on the model's name does not change it, and the menu does not cover it", async () => {
    const { page, troubles } = await visit();
    const button = page.getByRole("button", { name: /^Model:/ });
    const before = await button.textContent();
    await button.click();
    const [menu, anchor] = [await page.getByRole("menu").boundingBox(), await button.boundingBox()];
    if (menu === null || anchor === null) throw new Error("the menu is not shown");
    expect(menu.y >= anchor.y + anchor.height || menu.y + menu.height <= anchor.y).toBe(true);
    await page.keyboard.press("Escape");
    await button.dblclick();
    expect(await button.textContent()).toBe(before);
    expect(troubles).toEqual([]);
  });

  test("archiving can be undone, leaves no row, and a new chat leaves the archive", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say("say: keep me");
    await chat.answer("keep me").waitFor();
    const row = chat.sideBar.getByRole("link", { name: "say: keep me" });
    await page.getByRole("button", { name: "Menu for say: keep me" }).last().click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await page.getByText("The session is archived.").waitFor();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await row.waitFor();
    expect(await chat.log.getByText(/archived/).count()).toBe(0);

    await page.getByRole("button", { name: "Archived" }).click();
    await chat.sideBar.getByText("Archived sessions", { exact: true }).waitFor();
    await page.getByRole("link", { name: "New chat" }).click();
    await row.waitFor();
    expect(troubles).toEqual([]);
  });

  test("a token for reading is not offered a new chat", async () => {
    const { page } = await visit(`${gateway().url}/#token=${readOnly}`);
    await page.getByText("This token only allows reading.").waitFor();
    expect(await page.getByRole("link", { name: "New chat" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: /^Model:/ }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Settings" }).count()).toBe(0);
  });

  test("an address of no session leads back", async () => {
    const { page } = await visit();
    await page.goto(`${gateway().url}/#/session/NOSUCH`);
    await page.getByText("This session cannot be opened. It does not exist, or has been deleted.").waitFor();
    await page.getByRole("link", { name: "Back to the start page" }).click();
    await page.getByRole("heading", { name: "How can I help?" }).waitFor();
  });

  test("the viewer opens another file: chosen, or dropped anywhere", async () => {
    const { page, troubles } = await open(`${gateway().url}/view`);
    await page.getByRole("link", { name: "Dragoman" }).waitFor();
    const line = (text: string) => JSON.stringify({ role: "user", content: text, timestamp: 1 });
    const file = join(gateway().home, "first.jsonl");
    writeFileSync(file, `${line("The first file")}\n`);
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText("The first file").first().waitFor();
    await page.getByLabel("Open another file").setInputFiles({
      ...{ name: "second.jsonl", mimeType: "text/plain", buffer: Buffer.from(line("The second file")) },
    });
    await page.getByText("The second file").first().waitFor();
    const dropped = await page.evaluateHandle((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "third.jsonl"));
      return data;
    }, line("The third file"));
    await page.dispatchEvent("header", "drop", { dataTransfer: dropped });
    await page.getByText("The third file").first().waitFor();
    expect(troubles).toEqual([]);
  });
});
