import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requireBuild } from "../../support/cli/run-cli.js";
import { startServe } from "../../support/cli/serve-process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { browserForFile, hasBrowser } from "./browser.js";
import { chatOn } from "./chat-page.js";

const open = browserForFile();
beforeAll(requireBuild);

async function kill({ child, ended }: Awaited<ReturnType<typeof startServe>>): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

describe.skipIf(!hasBrowser)("a gateway that is killed and started again", () => {
  test("is found again by the page, which says so and has missed nothing", async () => {
    const home = temporaryFolder();
    const first = await startServe(home, ["--model", "demo/script"]);
    await expect.poll(() => first.lines.length).toBeGreaterThan(0);
    const { token } = JSON.parse(first.lines[0] ?? "");
    const { page } = await open(`${first.url}/#token=${token}`);
    const chat = chatOn(page);
    await chat.say("say: Halfway\nstall");
    await chat.answer("Halfway").waitFor();
    await kill(first);
    await chat.status.getByText("Connection to the gateway lost. Reconnecting…").waitFor();
    await chat.field.fill("a draft that stays");

    await startServe(home, ["--model", "demo/echo", "--port", new URL(first.url).port]);
    await chat.status.getByText("Reconnected. Nothing was missed.").waitFor();
    await chat.log.getByText("Something went wrong").waitFor();
    expect(await chat.answer("Halfway").count()).toBe(1);
    expect(await chat.field.inputValue()).toBe("a draft that stays");
    await chat.say("After the beginning.");
    await chat.answer("After the beginning.").waitFor();
  });

  test("still has its question, which is answered after the restart and a reload", async () => {
    const home = temporaryFolder();
    const first = await startServe(home, ["--model", "demo/script"]);
    await expect.poll(() => first.lines.length).toBeGreaterThan(0);
    const { token } = JSON.parse(first.lines[0] ?? "");
    const { page } = await open(`${first.url}/#token=${token}`);
    const chat = chatOn(page);
    await chat.say('call: exec {"command":"echo ran >> canary"}\n---\nsay: It ran.');
    const card = page.getByRole("alert").filter({ hasText: "Allow exec to run?" });
    await card.getByText(/^Expires .*\d:\d\d/).waitFor();
    await kill(first);
    await chat.status.getByText("Connection to the gateway lost. Reconnecting…").waitFor();
    await startServe(home, ["--model", "demo/script", "--port", new URL(first.url).port]);
    await chat.status.getByText("Reconnected. Nothing was missed.").waitFor();
    await card.waitFor();
    await page.reload();
    await card.getByText(/^Expires /).waitFor();
    expect(await card.count()).toBe(1);
    await card.getByRole("button", { name: /Allow once/ }).click();
    await chat.answer("It ran.").waitFor();
    expect(await card.count()).toBe(0);
    expect(readFileSync(join(home, "agents/main/workspace/canary"), "utf8")).toBe("ran\n");
  });

  test("does not know the link of the one before, and the page says what to do", async () => {
    const home = temporaryFolder();
    const first = await startServe(home, ["--model", "demo/echo"]);
    const { page } = await open(`${first.url}/#token=${first.token}`);
    const chat = chatOn(page);
    await chat.say("Hello");
    await chat.answer("Hello").waitFor();
    await kill(first);
    const second = await startServe(home, ["--model", "demo/echo", "--port", new URL(first.url).port]);
    await page.getByRole("alert").getByText("The gateway was restarted").waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${second.url}/#token=${second.token}`);
    await tab.getByRole("heading", { name: "How can I help?" }).waitFor();
    // The link that was opened in another tab is good for this one, too.
    await chat.answer("Hello").waitFor();
  });
});
