import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { browserForFile, hasBrowser } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";

const gateway = gatewayForFile({
  model: "demo/script",
  agents: {
    main: {
      agents: ["scout"],
      permissions: [
        { tool: "exec", pattern: "cat gate", action: "allow" },
        { tool: "agent", action: "allow" },
      ],
    },
    scout: { description: "Looks around." },
  },
  gateway: { limits: { requestsPerMinute: 10_000 } },
});
const open = browserForFile();

/** Opens the printed link; what should not have happened is an empty list. */
async function visit() {
  const { page, troubles } = await open(gateway().link);
  await page.getByRole("heading", { name: "How can I help?" }).waitFor();
  return { page, troubles, chat: chatOn(page) };
}

/** A command that waits until the test lets it go on: `cat` of a pipe that nobody has written to. */
function gate(): () => void {
  const folder = join(gateway().home, "agents/main/workspace");
  mkdirSync(folder, { recursive: true });
  const pipe = join(folder, "gate");
  execFileSync("rm", ["-f", pipe]);
  execFileSync("mkfifo", [pipe]);
  return () => writeFileSync(pipe, "open");
}

describe.skipIf(!hasBrowser)("the chat", () => {
  test("begins with the printed link, whose token does not stay in the address bar", async () => {
    const { page, troubles, chat } = await visit();
    expect(page.url()).toBe(`${gateway().url}/#/`);
    await chat.say("say: Good morning to **you**");
    await chat.answer("Good morning to you").waitFor();
    expect(page.url()).toMatch(/#\/session\/[0-9A-Z]{26}$/);
    await chat.sideBar.getByRole("link", { name: "say: Good morning to **you**" }).first().waitFor();
    await page.getByRole("button", { name: /\d+ tokens/ }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(gateway().url);
    await tab.getByRole("link", { name: "say: Good morning to **you**" }).first().waitFor();
    expect(troubles).toEqual([]);
  });

  test("asks for a token where there is none, and says when one is refused", async () => {
    const { page } = await open(gateway().url);
    await page.getByLabel("Token", { exact: true }).fill("dgm_wrong");
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("alert").getByText("The gateway does not accept this token.").waitFor();
    await page.getByLabel("Token", { exact: true }).fill(gateway().link.replace(/.*token=/, ""));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "How can I help?" }).waitFor();
    expect(await page.evaluate("localStorage.getItem('dragoman.token')")).toBeNull();
  });

  test("asks whether a tool may run, and shows what it did", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say('call: exec {"command":"echo from the shell"}\n---\nsay: It ran.');
    await page.getByRole("alert").getByText("Allow exec to run?").waitFor();
    await chat.status.getByText("Waiting for permission").waitFor();
    await page.keyboard.press("Alt+y");
    await chat.answer("It ran.").waitFor();
    await chat.log.getByRole("button", { name: /exec/ }).click();
    await chat.log.getByText("from the shell", { exact: true }).waitFor();

    await chat.say('call: exec {"command":"echo again"}\n---\nsay: It was not allowed.');
    await page.getByRole("button", { name: /Deny/ }).click();
    await chat.answer("It was not allowed.").waitFor();
    expect(await page.getByText("Allow exec to run?").count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  test("is stopped with Escape, and what was said so far stays", async () => {
    const { chat } = await visit();
    await chat.say("say: As far as it came.\nstall");
    await chat.answer("As far as it came.").waitFor();
    await chat.stop();
    await chat.log.getByText("stopped").waitFor();
    await chat.answer("As far as it came.").waitFor();
  });

  test("is stopped while a tool runs, and asked again where it was", async () => {
    const letGo = gate();
    const { page, troubles, chat } = await visit();
    await chat.say('call: exec {"command":"cat gate"}\n---\nsay: It went through.');
    await chat.status.getByText("Running exec…").waitFor();
    await chat.stop();
    await chat.log.getByText(/^cancelled/).waitFor();
    const here = page.url();
    await page.getByRole("button", { name: "Try again" }).click();
    await chat.status.getByText("Running exec…").waitFor();
    letGo();
    await chat.answer("It went through.").waitFor();
    expect(page.url()).toBe(here);
    expect(troubles).toEqual([]);
  });

  test("has what was said first as its title at once", async () => {
    const { chat } = await visit();
    await chat.say("say: What comes first.\nstall");
    const row = chat.sideBar.locator("[aria-current=page]", { hasNotText: "New chat" });
    await row.waitFor();
    expect(await row.innerText()).toBe("say: What comes first. stall");
    await chat.stop();
  });

  test("goes on after a reload in the middle of an answer", async () => {
    const letGo = gate();
    const { page, troubles, chat } = await visit();
    await chat.say('say: The first half.\ncall: exec {"command":"cat gate"}\n---\nsay: The second half.');
    await chat.status.getByText("Running exec…").waitFor();
    await page.reload();
    await chat.status.getByText("Running exec…").waitFor();
    await chat.answer("The first half.").waitFor();
    letGo();
    await chat.answer("The second half.").waitFor();
    expect(await chat.answer("The first half.").count()).toBe(1);

    await chat.say("say: Cut in the middle.\nstall");
    await chat.answer("Cut in the middle.").waitFor();
    await page.reload();
    await chat.answer("Cut in the middle.").waitFor();
    await chat.stop();
    expect(troubles).toEqual([]);
  });

  test("is the same in two tabs, with what waits in the queue", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say("say: Thinking it over.\nstall");
    await chat.answer("Thinking it over.").waitFor();
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    const other = chatOn(tab);
    await other.answer("Thinking it over.").waitFor();
    await other.sideBar.getByRole("img", { name: "working" }).waitFor();

    await page.getByRole("button", { name: /While the agent works/ }).click();
    await page.getByRole("menuitemradio", { name: /Afterwards/ }).click();
    await chat.say("say: And then this.");
    await other.log.getByText("Queued", { exact: true }).waitFor();
    await other.stop();
    for (const one of [chat, other]) {
      await one.answer("And then this.").waitFor();
      expect(await one.log.getByText("Queued", { exact: true }).count()).toBe(0);
    }
    await other.say("say: From the other side.");
    await chat.answer("From the other side.").waitFor();
    expect(troubles).toEqual([]);
  });

  test("is forked, and said differently, without losing what was said first", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say("say: The root.");
    await chat.answer("The root.").waitFor();
    await chat.say("say: One way.");
    await chat.answer("One way.").waitFor();
    const first = page.url();

    await chat.field.press("ArrowUp");
    await page.getByText("Editing: sending starts a fork").waitFor();
    await chat.say("say: Another way.");
    await chat.answer("Another way.").waitFor();
    await page.getByRole("link", { name: /fork of/ }).waitFor();
    expect(await chat.answer("One way.").count()).toBe(0);
    expect(await chat.answer("The root.").count()).toBe(1);
    const second = page.url();
    expect(second).not.toBe(first);

    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL((url) => url.href !== second);
    await chat.answer("Another way.").waitFor();

    await page.goto(first);
    await chat.answer("One way.").waitFor();
    await page
      .locator("header")
      .getByRole("button", { name: /^Menu for/ })
      .click();
    await page.getByRole("menuitem", { name: "Fork" }).click();
    await page.waitForURL((url) => url.href !== first);
    await chat.answer("One way.").waitFor();
    expect(troubles).toEqual([]);
  });

  test("is found by what was said, and shown there", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say("say: The chrysanthemum is in the cellar.");
    await chat.answer("The chrysanthemum is in the cellar.").waitFor();
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByRole("heading", { name: "How can I help?" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search all sessions" }).fill("chrysanth");
    const hit = page.getByRole("option").filter({ has: page.locator("mark", { hasText: "chrysanthemum" }) });
    await hit.first().click();
    await chat.answer("The chrysanthemum is in the cellar.").waitFor();
    expect(page.url()).toMatch(/#\/session\/[0-9A-Z]{26}\/[0-9A-Z]{26}$/);
    expect(troubles).toEqual([]);
  });

  test("is renamed, exported and archived", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say("say: Keep this.");
    await chat.answer("Keep this.").waitFor();
    const menu = page.locator("header").getByRole("button", { name: /^Menu for/ });
    await menu.click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Kept things");
    await page.keyboard.press("Enter");
    await chat.sideBar.getByRole("link", { name: "Kept things" }).waitFor();

    await menu.click();
    await page.getByRole("menuitem", { name: "Export…" }).click();
    const dialog = page.getByRole("dialog", { name: "Export “Kept things”" });
    await dialog.getByText("What is lost or changed").waitFor();
    await dialog.getByLabel("Format").selectOption("openclaw-turns");
    await dialog.getByRole("table").or(dialog.getByText("Nothing is lost.")).waitFor();
    const saving = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    const path = await (await saving).path();
    expect(readFileSync(path, "utf8")).toContain("say: Keep this.");
    await dialog.waitFor({ state: "detached" });

    await menu.click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await chat.sideBar.getByRole("link", { name: "Kept things" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Archived" }).click();
    await chat.sideBar.getByRole("link", { name: "Kept things" }).waitFor();
    expect(troubles).toEqual([]);
  });

  test("has the sessions of sub-agents below the one that started them", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say(
      'call: agent {"agent":"scout","prompt":"say: Seen from above."}\n---\nsay: The scout is back.',
    );
    await chat.answer("The scout is back.").waitFor();
    const helper = chat.sideBar.locator(".sub-agents").getByRole("link", { name: /say: Seen from above\./ });
    await helper.click();
    await chat.answer("Seen from above.").waitFor();
    await chat.log.getByRole("heading", { name: "scout" }).waitFor();
    await chat.log.getByRole("heading", { name: "main" }).waitFor();
    await page.getByRole("link", { name: /started by/ }).click();
    await chat.answer("The scout is back.").waitFor();
    expect(troubles).toEqual([]);
  });

  test("keeps what was typed for each session, and lets another model answer", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say("say: Here.");
    await chat.answer("Here.").waitFor();
    await page.getByRole("button", { name: "Model: demo/script" }).click();
    await page.getByRole("menuitemradio", { name: "demo/echo" }).click();
    await page.getByRole("button", { name: "Model: demo/echo" }).waitFor();
    await chat.say("say it as it is");
    await chat.answer("say it as it is").waitFor();
    await chat.field.fill("Dear");
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByRole("heading", { name: "How can I help?" }).waitFor();
    expect(await chat.field.inputValue()).toBe("");
    await page.goBack();
    await chat.answer("say it as it is").waitFor();
    expect(await chat.field.inputValue()).toBe("Dear");
    await page.reload();
    await chat.answer("say it as it is").waitFor();
    expect(await chat.field.inputValue()).toBe("Dear");
    expect(troubles).toEqual([]);
  });

  test("tells when an answer failed, and tries it again where it was asked", async () => {
    const { page, troubles, chat } = await visit();
    await chat.say("say: Almost\nfail: 400");
    await chat.answer("Almost").waitFor();
    const here = page.url();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "1 failed attempt" }).click();
    await expect.poll(() => chat.answer("Almost").count()).toBe(2);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await chat.log.getByText("Continue where you stopped.", { exact: true }).waitFor();
    expect(page.url()).toBe(here);
    expect(troubles).toEqual([]);
  });
});
