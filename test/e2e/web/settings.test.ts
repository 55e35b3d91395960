import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type ListeningProvider, listeningProvider } from "../../fakes/listening-provider.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser, phone } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";

const KEY = "sk-a-key-of-a-stranger";
let provider: ListeningProvider | undefined;

const WRITTEN = `{
  // The owner's own remark.
  "agents": { "research": { "description": "Looks things up" } }
}
`;
const gateway = gatewayForFile({}, async (home) => writeFileSync(join(home, "config.json"), WRITTEN));
const open = browserForFile();
afterAll(() => provider?.close());

describe.skipIf(!hasBrowser)("the settings", () => {
  test("lead a stranger from the demo model to the first answer of a provider", async () => {
    provider = await listeningProvider(KEY, "Good morning, stranger.");
    const { address } = provider;
    const { page, troubles } = await open(gateway().link);
    await page.getByRole("link", { name: "Add a key" }).click();
    await page.getByRole("button", { name: "Add a server…" }).click();
    await page.getByLabel("Name").fill("Not A Name");
    await page.getByLabel("Address", { exact: true }).fill(address);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: 'There is no setting "Not A Name"' }).waitFor();
    await page.getByLabel("Name").fill("acme");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.getByRole("listitem").filter({ hasText: "acme" });
    await row.getByRole("button", { name: "Add key" }).click();
    await row.getByLabel("acme API key").fill(KEY);
    await row.getByRole("button", { name: "Save" }).click();
    await row.getByText("has a key").waitFor();

    await page.getByLabel("Default model").fill("acme/large");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByRole("button", { name: "Test" }).click();
    await row.getByText(/acme\/large answered in/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByRole("button", { name: "Model: acme/large" }).waitFor();
    const chat = chatOn(page);
    await chat.say("Hello?");
    await chat.answer("Good morning, stranger.").waitFor();

    const file = join(gateway().home, "config.json");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("// The owner's own remark.");
    expect(text).toContain('"agents": { "research": { "description": "Looks things up" } }');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await page.content()).not.toContain(KEY);
    expect(troubles).toEqual([]);
  }, 60_000);

  test("show what is wrong at the field, and keep the file", async () => {
    const { page, troubles } = await open(gateway().link);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Agents" }).click();
    const before = readFileSync(join(gateway().home, "config.json"), "utf8");
    const turns = page.getByLabel("Maximum turns per run").first();
    await turns.fill("0");
    await turns.press("Enter");
    const problem = page.getByRole("alert").filter({ hasText: "expected" });
    await problem.waitFor();
    expect(await turns.getAttribute("aria-describedby")).toBe(await problem.getAttribute("id"));
    expect(readFileSync(join(gateway().home, "config.json"), "utf8")).toBe(before);
    await turns.fill("7");
    await turns.press("Enter");
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(
      JSON.parse(readFileSync(join(gateway().home, "config.json"), "utf8").replace(/\/\/.*/, "")),
    ).toMatchObject({
      agents: { main: { maxTurns: 7 } },
    });
    await page.getByRole("button", { name: "Add an agent…" }).click();
    await page.getByLabel("Name of the agent").fill("writer");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Remove writer" }).waitFor();
    await page.getByRole("link", { name: "Models" }).click();
    const allowed = page.getByLabel("Allowed models");
    await allowed.fill('{"demo/echo": {}}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(readFileSync(join(gateway().home, "config.json"), "utf8")).toContain('"models"');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByRole("button", { name: /^Agent:/ }).click();
    await page.getByRole("menuitemradio", { name: "writer" }).waitFor();
    expect(troubles).toEqual([]);
  }, 60_000);

  test("follow changes that are made to the file by hand", async () => {
    const { page } = await open(gateway().link);
    // The link's token is stored when the gateway has accepted it.
    await page.getByRole("button", { name: /^Agent:/ }).waitFor();
    const file = join(gateway().home, "config.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"research"', '"detective"'));
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole("button", { name: /^Agent:/ }).click();
          return page.getByRole("menuitemradio", { name: "detective" }).count();
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBe(1);
  }, 60_000);

  test("create and revoke tokens, and keep this browser signed in", async () => {
    const { page, troubles } = await open(gateway().link);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByLabel("Name").fill("phone <b>");
    await page.getByLabel("Budget, in dollars per month").fill("5");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText(/^Copy it now/).waitFor();
    const row = page.getByRole("listitem").filter({ hasText: "phone <b>" });
    await row.getByText(/chat · \$5\.00 per month/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole("button", { name: "Revoke" }).click();
    await row.waitFor({ state: "detached" });

    await page.getByRole("link", { name: "This browser" }).click();
    await page.getByRole("button", { name: "Stay signed in" }).click();
    await page.getByRole("button", { name: "This browser stays signed in" }).waitFor();
    const stored: unknown = await page.evaluate("localStorage.getItem('dragoman.token')");
    expect(gateway().link).not.toContain(String(stored));
    await page.reload();
    await page.getByRole("heading", { name: "This browser" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
  }, 60_000);

  test("fit on a phone, and add a channel", async () => {
    const { page, troubles } = await open(gateway().link, { ...phone, colorScheme: "dark" });
    await page.getByRole("button", { name: "Open the side bar" }).tap();
    await page.getByRole("link", { name: "Settings" }).tap();
    await page.getByRole("link", { name: "Channels" }).tap();
    await page.getByLabel("Platform").selectOption("WhatsApp");
    await page.getByText("dragoman channels add whatsapp", { exact: true }).waitFor();
    await page.getByLabel("Name").fill("work");
    await page.getByText("dragoman channels add whatsapp/work", { exact: true }).waitFor();
    await page.getByLabel("Name").fill("default");
    await page.getByLabel("Platform").selectOption("Webhook");
    await page.getByLabel("Secret").fill("a-secret-of-at-least-some-length");
    await page.getByRole("button", { name: "Add" }).tap();
    await page.getByText("Webhook · default").waitFor();
    await page.getByText("connected").waitFor();
    expect(readFileSync(join(gateway().home, "config.json"), "utf8")).toContain('"webhook"');
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await axeFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
  }, 60_000);
});
