import { createServer } from "node:http";
import { expect, test } from "vitest";
import { noteOf } from "../../src/core/message/notes.js";
import { openHome } from "../../src/log/files/home.js";
import type { SessionLog } from "../../src/log/types.js";
import { says } from "../fakes/scripted-model.js";
import { hasPython, openTerminal } from "../support/cli/pseudo-terminal.js";
import { workspace } from "../support/cli/run-cli.js";

const { path, put, dragoman } = workspace();

const env = () => ({ DRAGOMAN_MODEL: "", DRAGOMAN_HOME: path("home") });

/** A session that another process runs: it answers the first message in the inbox, and then lets go of it. */
async function runElsewhere(): Promise<{ id: string; answered: Promise<void> }> {
  const home = openHome(path("home"));
  const session = await home.create({ agent: "main" });
  const lease = await home.lease(session.id);
  return { id: session.id, answered: answerOne(session).finally(() => lease?.release()) };
}

async function answerOne(session: SessionLog): Promise<void> {
  const done = new AbortController();
  for await (const { message } of session.tail({ signal: done.signal })) {
    const note = noteOf(message);
    if (note?.type !== "dragoman/inbox") continue;
    await session.append([note.data.message, says("hello from elsewhere")]);
    done.abort();
  }
  await session.close();
}

test("what the process that runs the session answers is printed", async () => {
  const { id, answered } = await runElsewhere();
  const printed = await dragoman(["chat", "-p", "--model", "demo/echo", "-s", id], "hi", env());
  await answered;
  expect(printed).toMatchObject({ code: 0, stdout: "hello from elsewhere\n" });
});

test.skipIf(!hasPython)("what it answers is shown on a terminal, and the waiting ends", async () => {
  const { id, answered } = await runElsewhere();
  const { type, until, untilGone, ended } = openTerminal(["chat", "--model", "demo/echo", "-s", id], {
    columns: 80,
    env: { ...env(), NO_COLOR: "1" },
    cwd: path("."),
  });
  await until("Ctrl-D to exit");
  type("hi\r");
  await until("\nhello from elsewhere\n");
  await answered;
  await untilGone(" · Ctrl-C to stop");
  type("\u0003");
  await until("press Ctrl-C again to exit");
  type("\u0003");
  expect(await ended).toBe(0);
});

test("what a server says of its failure cannot command the terminal", async () => {
  const server = createServer((_, response) => response.writeHead(400).end("no\u001b]0;mine\u0007 model"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const local = { api: "openai-chat", baseUrl: `http://127.0.0.1:${port}`, apiKey: "k" };
    put("home/config.json", JSON.stringify({ model: "local/m", providers: { local } }));
    const { code, stderr } = await dragoman(["chat", "-p"], "hi", env());
    expect(code).toBe(1);
    expect(stderr).toContain("dragoman: HTTP 400: no model");
  } finally {
    server.close();
  }
});
