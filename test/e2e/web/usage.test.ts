import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TokenStore } from "../../../src/gateway/auth/token-store.js";
import { openCells } from "../../../src/log/files/cells.js";
import { axeFindings } from "./axe.js";
import { browserForFile, hasBrowser } from "./browser.js";
import { chatOn } from "./chat-page.js";
import { gatewayForFile } from "./gateway-for-file.js";

const prices = { input: 250_000, output: 250_000, cacheRead: 0, cacheWrite: 0 };

/** A call of a token whose budget it has spent. */
const gateway = gatewayForFile({ model: "demo/echo", models: { "demo/echo": { prices } } }, async (home) => {
  const { entry } = await new TokenStore(openCells(home)).create("ci", "chat", {
    budget: { dollars: 2, per: "day" },
  });
  const at = Date.now();
  const counts = { calls: 1, input: 1000, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const record = { at, token: entry.id, agent: "", model: "acme/large", ...counts, cost: 2.5, unpriced: 0 };
  mkdirSync(join(home, "usage"));
  const month = new Date(at).toISOString().slice(0, 7);
  writeFileSync(join(home, "usage", `${month}.jsonl`), `${JSON.stringify(record)}\n`);
});
const open = browserForFile();

describe.skipIf(!hasBrowser)("the usage page", () => {
  test("shows budgets, and the calls by model, agent and token", async () => {
    const { page, troubles } = await open(gateway().link);
    const chat = chatOn(page);
    await chat.say("three more words");
    await chat.answer("three more words").waitFor();
    await chat.sideBar.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await page.getByText("$2.50 of $2.00 per day, spent").waitFor();
    const cells = (name: string) =>
      page
        .getByRole("row", { name })
        .getByRole("cell")
        .allTextContents()
        .then((texts) => texts.slice(0, 4));
    expect(await cells("acme/large")).toEqual(["$2.50", "1", "1,000", "20"]);
    expect((await cells("demo/echo")).slice(1, 2)).toEqual(["1"]);
    expect((await cells("Total")).slice(1, 2)).toEqual(["2"]);
    await page.getByRole("img", { name: /^Cost per day, maximum \$/ }).waitFor();

    await page.getByRole("button", { name: "Group by model" }).click();
    await page.getByRole("menuitemradio", { name: "By token" }).click();
    await page.getByRole("row", { name: "ci" }).waitFor();
    expect(await cells("ci")).toEqual(["$2.50", "1", "1,000", "20"]);
    expect(await axeFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });
});
