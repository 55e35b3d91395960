import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { requireBuild, workspace } from "../../support/cli/run-cli.js";
import { startServe } from "../../support/cli/serve-process.js";
import { browserForFile, hasBrowser } from "../web/browser.js";
import { examplePage } from "./example-page.js";
import { frontGateway, scripted, storedChat } from "./front-gateway.js";

beforeAll(requireBuild);
const open = browserForFile();
const { path, put, dragoman } = workspace();

function partsOf(page: Page) {
  const conversation = page.getByRole("list", { name: "Conversation" });
  return {
    message: (text: string) => conversation.getByText(text, { exact: true }),
    status: page.getByRole("status"),
    texts: () => conversation.locator("li p").allTextContents(),
    async send(text: string) {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    },
  };
}

describe.skipIf(!hasBrowser)("the useChat example", () => {
  const example = examplePage("use-chat");
  const urlOf = (gateway: string, token: string, more = "") =>
    `${example.origin}/#gateway=${gateway}&token=${token}&chat=e1${more}`;

  test("is loaded again ten times mid-answer, and shows the answer once", async () => {
    const model = new SteppedModel();
    const config = { ...model.config, gateway: { origins: [example.origin] } };
    const gateway = await frontGateway({ config, models: model });
    const { page } = await open(urlOf(gateway.url, gateway.chat));
    const chat = partsOf(page);
    await chat.status.getByText("ready").waitFor();
    await chat.send("Count");
    await model.isAsked(1);
    let text = "";
    for (let count = 1; count <= 10; count++) {
      text += `${count} `;
      model.send({ text: `${count} ` });
      await chat.message(text.trim()).waitFor();
      await page.reload();
      await chat.message(text.trim()).waitFor();
    }
    model.send({ text: "end", stop: "stop" });
    await chat.message(`${text}end`).waitFor();
    await chat.status.getByText("ready").waitFor();
    expect(await chat.texts()).toEqual(["Count", `${text}end`]);
    expect((await storedChat(gateway, "e1")).texts).toEqual(["user: Count", `assistant: ${text}end`]);
    await chat.send("Again");
    await model.isAsked(2);
    model.send({ text: "Half" });
    await chat.message("Half").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await chat.status.getByText("ready").waitFor();
    expect((await storedChat(gateway, "e1")).stops).toEqual(["stop", "aborted"]);
  });

  test("approves a tool after the gateway was killed and started again", async () => {
    put(
      "home/config.json",
      JSON.stringify({
        agents: { main: { model: "demo/script", workspace: path("work") } },
        gateway: { origins: [example.origin] },
      }),
    );
    const { stdout } = await dragoman(["token", "create", "--scope", "admin", "--home", path("home")]);
    const server = await startServe(path("home"));
    const { page } = await open(urlOf(server.url, stdout.trim(), "&approvals=true"));
    const chat = partsOf(page);
    await chat.status.getByText("ready").waitFor();
    await chat.send('call: exec {"command":"echo ran >> canary"}');
    await page.getByRole("button", { name: "Allow" }).waitFor();
    server.child.kill("SIGKILL");
    await server.ended;
    await startServe(path("home"), ["--port", new URL(server.url).port]);
    await page.reload();
    await page.getByRole("button", { name: "Allow" }).click();
    await expect.poll(() => readFileSync(path("work/canary"), "utf8")).toBe("ran\n");
    await page.getByText("output-available").waitFor();
    await chat.status.getByText("ready").waitFor();
  });
});

describe.skipIf(!hasBrowser)("the CopilotKit example", () => {
  const example = examplePage("copilotkit");

  test("shows a thread again while its answer streams", async () => {
    const model = new SteppedModel();
    const config = { ...model.config, gateway: { origins: [example.origin] } };
    const gateway = await frontGateway({ config, models: model });
    const hash = `#gateway=${gateway.url}&token=${gateway.chat}&thread=e2`;
    const { page } = await open(`${example.origin}/${hash}`);
    const chat = partsOf(page);
    await chat.status.getByText("ready").waitFor();
    await chat.send("Count");
    await model.isAsked(1);
    model.send({ text: "one " });
    await chat.message("one").waitFor();
    await page.reload();
    await chat.message("one").waitFor();
    model.send({ text: "two", stop: "stop" });
    await chat.message("one two").waitFor();
    expect(await chat.texts()).toEqual(["Count", "one two"]);
  });
});

test("the terminal example shows an answer", async () => {
  const gateway = await frontGateway({ config: scripted() });
  const program = fileURLToPath(new URL("../../../examples/terminal/chat.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, gateway.url, "e3"], {
    env: { ...process.env, DRAGOMAN_TOKEN: gateway.chat },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  child.stdin.end(`say: Hello there.\n`);
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  expect(lines).toEqual(["Hello there."]);
});

test("the guide shows code of the example", () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  const [, snippet = ""] = /```tsx\n([\s\S]*?)```/.exec(read("docs/guide/front-ends.md")) ?? [];
  expect(snippet).toContain("useChat({");
  expect(read("examples/use-chat/main.tsx")).toContain(snippet);
});
