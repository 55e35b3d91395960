import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/index.js";
import { openHome } from "../../../src/log/files/home.js";
import { attacks } from "./attacks.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";
import { whatCouldAct } from "./read-transcript.js";

const CLAUDE = "0f0d2f4e-1111-4222-8333-444455556666";
const hostile = attacks.join(" ");

/** A chat on Telegram, a session of Claude Code, and a stranger whose name is full of attacks. */
const gateway = gatewayForFile({}, async (home) => {
  const line = { role: "user", content: "Where is the lighthouse?", timestamp: Date.now() };
  const { output } = await convert(`${JSON.stringify(line)}\n`, { from: "openclaw", to: "claude-code" });
  const sources = join(home, "elsewhere");
  mkdirSync(join(sources, "-home-ann-app"), { recursive: true });
  writeFileSync(join(sources, "-home-ann-app", `${CLAUDE}.jsonl`), output);
  const off = [
    ...["codex", "pi", "cline", "openclaw", "gemini-cli"],
    ...["qwen-code", "opencode", "copilot-cli", "cursor"],
  ];
  const account = { token: "1:secret", apiRoot: "http://127.0.0.1:9", direct: "pairing" };
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({
      model: "demo/script",
      agents: { main: {}, research: { description: "Looks things up" } },
      channels: { telegram: { default: account } },
      sources: {
        ...Object.fromEntries(off.map((name) => [name, false])),
        "claude-code": { roots: [sources] },
      },
    }),
  );
  const pending = (code: string, id: string, name: string) => ({
    ...{ code, id, name, since: Date.now(), message: id },
  });
  mkdirSync(join(home, "channels/telegram/default"), { recursive: true });
  writeFileSync(
    join(home, "channels/telegram/default/people.json"),
    JSON.stringify({
      version: 1,
      approved: [],
      pending: [pending("GRACE234", "4711", "Grace"), pending("EVIL2345", "666", hostile)],
    }),
  );
  const session = await openHome(home).create({ agent: "research", key: "agent:research:telegram:dm:42" });
  await session.append([{ role: "user", content: "A question from a phone", timestamp: Date.now() }]);
  await session.close();
});
const open = browserForFile();

async function visit(options = {}) {
  const { page, troubles } = await open(gateway().link, options);
  await page.getByRole("heading", { name: "Recent sessions" }).waitFor();
  return { page, troubles, chat: chatOn(page) };
}

describe.skipIf(!hasBrowser)("the home page", () => {
  test("lists channels, people who wait, and sessions of all programs with where they come from", async () => {
    const { page, troubles } = await visit();
    const channels = page.getByRole("region", { name: "Channels" });
    await channels.getByText("Telegram").waitFor();
    await channels.getByText("retrying").waitFor();
    const recent = page.getByRole("region", { name: "Recent sessions" });
    await recent.getByRole("link", { name: /A question from a phone.*Telegram.*research/ }).waitFor();
    await recent.getByRole("link", { name: /Where is the lighthouse\?.*Claude Code/ }).waitFor();
    await chatOn(page)
      .sideBar.getByRole("link", { name: /A question from a phone.*Telegram/ })
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);

    const { shown: _, ...found } = await whatCouldAct(page);
    expect(found).toEqual({
      elements: [],
      handlers: [],
      addresses: [],
    });
    expect(troubles).toEqual([]);

    await recent.getByRole("link", { name: /Where is the lighthouse/ }).click();
    await page.getByRole("log").getByText("Where is the lighthouse?", { exact: true }).waitFor();
    expect(page.url()).toContain(`#/foreign/claude-code/${CLAUDE}`);
  });

  test("approves one person and rejects another", async () => {
    const { page, troubles } = await visit();
    const waiting = page.getByRole("region", { name: "Waiting for you" });
    const people = join(gateway().home, "channels/telegram/default/people.json");
    const grace = waiting.getByRole("article").filter({ hasText: "GRACE234" });
    await grace.getByText("wants to talk to your agent on Telegram").waitFor();
    await grace.getByRole("button", { name: "Approve" }).click();
    await grace.waitFor({ state: "detached" });
    await waiting
      .getByRole("article")
      .filter({ hasText: "EVIL2345" })
      .getByRole("button", { name: "Reject" })
      .click();
    await waiting.waitFor({ state: "detached" });
    const { approved, pending } = JSON.parse(readFileSync(people, "utf8"));
    expect(approved).toMatchObject([{ id: "4711", name: "Grace", owner: false }]);
    expect(pending).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test("shows a question of an agent in the tab, in the list and here, where it is answered", async () => {
    const { page, troubles, chat } = await visit();
    const calm = await page.locator('link[rel="icon"]').getAttribute("href");
    const edit = { file_path: "login.ts", edits: [{ old_string: "retries = 1", new_string: "retries = 3" }] };
    await chat.say(`call: edit ${JSON.stringify(edit)}\n---\nsay: I have asked`);
    await page.getByText("needs your permission").waitFor();
    const { page: other } = await open(gateway().link);
    await other.getByRole("region", { name: "Waiting for you" }).waitFor();
    expect(await other.title()).toBe("(1) Dragoman");
    expect(await other.locator('link[rel="icon"]').getAttribute("href")).not.toBe(calm);
    await chatOn(other)
      .sideBar.getByRole("link", { name: /^needs you/ })
      .waitFor();
    const card = other.getByRole("article").filter({ hasText: "Allow edit to run?" });
    await card.getByText("-retries = 1").waitFor();
    await card.getByText("+retries = 3").waitFor();
    expect(await axeFindings(other)).toEqual([]);
    await card.getByRole("button", { name: "Deny" }).click();
    await card.waitFor({ state: "detached" });
    await chat.answer("I have asked").waitFor();
    await expect.poll(() => other.title(), { timeout: 10_000 }).toBe("Dragoman");
    expect(await other.locator('link[rel="icon"]').getAttribute("href")).toBe(calm);
    expect(troubles).toEqual([]);
  });

  test("opens a file of any program in the viewer", async () => {
    const { page, troubles } = await visit();
    await page.getByLabel("Transcript to open").setInputFiles({
      name: "talk.jsonl",
      mimeType: "application/jsonl",
      buffer: Buffer.from('{"role":"user","content":"Dropped words","timestamp":1}\n'),
    });
    await page.getByText("Dropped words").first().waitFor();
    expect(page.url()).toBe(`${gateway().url}/view#file`);
    expect(troubles).toEqual([]);
  });

  test("fits on a large screen", async () => {
    const { page, troubles } = await visit({ viewport: { width: 2560, height: 1440 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(2560);
    expect(await axeFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });
});
