import { describe, expect, test } from "vitest";
import { openHome } from "../../../src/log/files/home.js";
import { attacks } from "./attacks.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";
import { whatCouldAct } from "./read-transcript.js";

/** With a session that is longer than a page. */
const gateway = gatewayForFile({ model: "demo/script" }, async (home) => {
  const session = await openHome(home).create({ agent: "main" });
  const user = (at: number) => ({ role: "user" as const, content: `paragraph ${at}`, timestamp: at + 1 });
  await session.append(Array.from({ length: 200 }, (_, at) => user(at)));
  await session.close();
});
const open = browserForFile();

describe.skipIf(!hasBrowser)("a share link", () => {
  test("shows one session live, without anything else, until it is revoked", async () => {
    const { page, troubles } = await open(gateway().link);
    const chat = chatOn(page);
    await chat.say(`say: Look at this ${attacks.slice(0, 6).join(" ")}`);
    await page.getByText("Look at this").nth(1).waitFor();
    const menu = page.locator("header").getByRole("button", { name: /^Menu for/ });
    await menu.click();
    await page.getByRole("menuitem", { name: "Share…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Share/ });
    await dialog.getByText("They cannot write").waitFor();
    await dialog.getByLabel("The link works for").selectOption({ label: "7 days" });
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = (await dialog.locator("code").textContent()) ?? "";
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#share=dgm_[\w-]{43}$/);
    expect(await axeFindings(page)).toEqual([]);

    const { page: guest, troubles: guestTroubles } = await open(link, { ...phone, colorScheme: "dark" });
    await guest.getByText("read-only").waitFor();
    await guest.getByRole("log").getByText("Look at this").first().waitFor();
    expect(guest.url()).not.toContain("dgm_");
    expect(await guest.getByRole("navigation").count()).toBe(0);
    expect(await guest.getByRole("textbox").count()).toBe(0);
    const { shown: _, ...found } = await whatCouldAct(guest);
    expect(found).toEqual({ elements: [], handlers: [], addresses: [] });
    expect(await axeFindings(guest)).toEqual([]);
    expect(await guest.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await guest.reload();
    await guest.getByRole("log").getByText("Look at this").first().waitFor();

    await dialog.getByRole("button", { name: "Close" }).click();
    await chat.say("say: And this, a moment later");
    await guest.getByText("And this, a moment later", { exact: true }).waitFor();

    await page.goto(`${gateway().url}/#/settings/tokens`);
    const token = page.getByRole("listitem").filter({ hasText: "one session, by a link" });
    await token.getByRole("button", { name: "Revoke" }).click();
    await token.waitFor({ state: "detached" });
    expect([...troubles, ...guestTroubles]).toEqual([]);
    await guest.reload();
    await guest.getByLabel("Token", { exact: true }).waitFor();
  });

  test("does not replace the owner's token, which is in another tab of the same browser", async () => {
    const { page } = await open(gateway().link);
    const chat = chatOn(page);
    await chat.say("say: Mine");
    await chat.answer("Mine").waitFor();
    await page
      .locator("header")
      .getByRole("button", { name: /^Menu for/ })
      .click();
    await page.getByRole("menuitem", { name: "Share…" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByText("read-only").waitFor();
    await page.reload();
    await chat.field.waitFor();
  });

  test("is printed whole: also what a virtual list does not show", async () => {
    const { page, troubles } = await open(gateway().link);
    const chat = chatOn(page);
    await chat.sideBar.getByRole("link", { name: "paragraph 0" }).click();
    await chat.log.getByText("paragraph 199", { exact: true }).waitFor();
    expect(await chat.log.getByText("paragraph 7", { exact: true }).count()).toBe(0);
    await page.evaluate(
      "window.print = () => { dispatchEvent(new Event('beforeprint')); document.title = 'printed'; }",
    );
    await page
      .locator("header")
      .getByRole("button", { name: /^Menu for/ })
      .click();
    await page.getByRole("menuitem", { name: "Print…" }).click();
    await chat.log.getByText("paragraph 7", { exact: true }).waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await chat.log.getByText("paragraph 7", { exact: true }).isVisible()).toBe(true);
    expect(await chat.log.getByText("paragraph 199", { exact: true }).isVisible()).toBe(true);
    expect(await chat.sideBar.isVisible()).toBe(false);
    expect(troubles).toEqual([]);
  });

  test("the app can be installed", async () => {
    const { page } = await open(gateway().link);
    const manifest = await page.evaluate(async () => {
      const href = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href ?? "";
      return (await fetch(href)).json();
    });
    expect(manifest).toMatchObject({ name: "Dragoman", start_url: "/", display: "standalone" });
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(size).toBe(sizes);
    }
  });
});
