import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openHome } from "../../src/log/files/home.js";
import { sandboxProblem } from "../../src/tools/sandbox.js";
import { main, workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";

const { path, put, dragoman } = workspace();

const asBearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test("a gateway keeps answering when the reader of its log has gone", async () => {
  const { url, token, child } = await startServe(path("home"));
  child.stderr?.destroy();
  // Each request is a line of the log.
  for (let request = 0; request < 3; request++) {
    expect((await fetch(`${url}/metrics`, asBearer(token))).status).toBe(200);
  }
  expect(child.exitCode).toBeNull();
});

test("the first line tells where it listens and a token that is good; the first start makes one to keep", async () => {
  const { url, token, lines, child, ended } = await startServe(path("home"));
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/metrics`, asBearer(token))).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  const { token: kept, ...event } = JSON.parse(lines[0] ?? "{}");
  expect(event).toEqual({
    event: "token",
    id: expect.stringMatching(/^[0-9A-Z]{26}$/),
    name: "first start",
    scope: "admin",
  });
  expect((await fetch(`${url}/metrics`, asBearer(kept))).status).toBe(200);
  const stored = readFileSync(path("home/tokens.json"), "utf8");
  expect([stored.includes(kept), stored.includes(token)]).toEqual([false, false]);
  expect(statSync(path("home/tokens.json")).mode & 0o777).toBe(0o600);
  expect(statSync(path("home")).mode & 0o777).toBe(0o700);
  child.kill("SIGTERM");
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect([stderr.includes(kept), stderr.includes(token)]).toEqual([false, false]);

  const second = await startServe(path("home"));
  expect((await fetch(`${second.url}/metrics`, asBearer(kept))).status).toBe(200);
  expect((await fetch(`${second.url}/metrics`, asBearer(token))).status).toBe(401);
  second.child.kill("SIGINT");
  expect((await second.ended).code).toBe(0);
  expect(second.lines).toEqual([]);
});

test("tokens made and revoked beside it are noticed at once", async () => {
  const { url } = await startServe(path("home"));
  const created = await dragoman([
    "token",
    "create",
    "--scope",
    "read",
    "--name",
    "board",
    "--home",
    path("home"),
  ]);
  const secret = created.stdout.trim();
  expect(secret).toMatch(/^dgm_[\w-]{43}$/);
  expect((await fetch(`${url}/metrics`, asBearer(secret))).status).toBe(200);
  const listed = await dragoman(["token", "list", "--json", "--home", path("home")]);
  const board = JSON.parse(listed.stdout).find(({ name }: { name: string }) => name === "board");
  expect(board).toMatchObject({ scope: "read" });
  expect(listed.stdout).not.toMatch(/hash|dgm_/);
  expect(await dragoman(["token", "revoke", board.id, "--json", "--home", path("home")])).toEqual({
    code: 0,
    stdout: `{"id":"${board.id}","name":"board","revoked":true}\n`,
    stderr: "",
  });
  expect((await fetch(`${url}/metrics`, asBearer(secret))).status).toBe(401);
});

test("a token can be made for agents and for a time; what is misspelt makes none", async () => {
  const token = (...args: string[]) => dragoman(["token", ...args, "--home", path("home")]);
  const limits = ["--expires", "2100-01-31", "--agent", "main", "--name", "colleague"];
  const { code, stderr } = await token("create", ...limits);
  expect([code, stderr.replace(/token \S+/, "token ID")]).toEqual([
    0,
    "token ID (colleague, scope chat, agents main, expires 2100-01-31); shown only once\n",
  ]);
  const [listed] = JSON.parse((await token("list", "--json")).stdout);
  expect(listed).toMatchObject({ expires: Date.UTC(2100, 0, 31), agents: ["main"] });
  expect((await token("list")).stdout).toMatch(
    /EXPIRES +AGENTS +BUDGET +SPENT +RATE +NAME\n.* 2100-01-31 +main +none +- +default +colleague\n/,
  );
  for (const [option, value, words] of [
    [
      "--expires",
      "soon",
      '--expires must be a time from now such as 12h, 30d or 4w, or a future date, not "soon"',
    ],
    ["--expires", "2001-01-01", "or a future date"],
    ["--agent", "mian", '--agent must be one of main, not "mian"'],
  ] as const) {
    const refused = await token("create", option, value);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
  }
  expect(JSON.parse((await token("list", "--json")).stdout)).toHaveLength(1);
});

/** A process that is killed while its model is silent. Returns the session's id. */
async function leaveUnanswered(home: string): Promise<string> {
  const script = `
    import { Runtime } from "dragoman/runtime";
    const runtime = new Runtime({ home: process.argv[1], config: { model: "demo/script" } });
    const conversation = await runtime.begin({ key: "agent:main:main" });
    await conversation.send({ role: "user", content: "stall", timestamp: 1 });
    process.stdout.write(conversation.session.id);
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, home]);
  const [id] = await once(child.stdout.setEncoding("utf8"), "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  return id;
}

test("a run that does not end is left for the next start, which answers it", async () => {
  const id = await leaveUnanswered(path("home"));
  const model = ["--model", "demo/script"];
  const forced = await startServe(path("home"), model);
  await forced.untilLogged("resuming unanswered messages");
  forced.child.kill("SIGTERM");
  await forced.untilLogged("stopping");
  forced.child.kill("SIGTERM");
  expect((await forced.ended).code).toBe(143);
  expect(readdirSync(path("home/runs"))).toEqual([id]);

  const patient = await startServe(path("home"), model);
  await patient.untilLogged("resuming unanswered messages");
  patient.child.kill("SIGTERM");
  const { code, stderr } = await patient.ended;
  expect(code).toBe(0);
  expect(stderr).toContain("unfinished runs are left for another gateway of this store, or the next start");
  expect(readdirSync(path("home/runs"))).toEqual([id]);

  await startServe(path("home"), ["--model", "demo/echo"]);
  const session = await openHome(path("home")).open(id);
  for await (const { message } of session.tail({ signal: new AbortController().signal })) {
    if (message.role !== "assistant") continue;
    expect(message.content).toEqual([{ type: "text", text: "stall" }]);
    break;
  }
  await session.close();
});

describe("it does not start", () => {
  test("when the port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await dragoman(["serve", "--port", String(port), "--home", path("home")])).toEqual({
      code: 2,
      stdout: "",
      stderr: `dragoman: port ${port} on 127.0.0.1 is already in use; another gateway may be running; stop it, or choose another port with --port [gateway/port-in-use]\n`,
    });
    expect(() => readFileSync(path("home/tokens.json"))).toThrow("ENOENT");
  });

  test.each([
    ['{"gateway":{"port":"80"}}', 'config.json: expected integer, found "80"'],
    ['{"gateway":{"port":70000}}', "config.json: expected a number of at most 65535, found 70000"],
    [
      '{"gateway":{"prot":80}}',
      'config.json: there is no setting "prot"; see schemas/Config.json for all settings',
    ],
    ['{"gateway":{"origins":["app.example.com"]}}', "config.json: expected text that matches ^https?://"],
    ['{"model":"nobody/x"}', 'the model "nobody/x" cannot be used: there is no provider "nobody"'],
    ["{", "config.json is not JSON"],
  ])("with the configuration %s", async (config, words) => {
    put("config.json", config);
    const { code, stdout, stderr } = await dragoman(["serve", "--port", "0", "--home", path(".")]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/\[config\/invalid\]\n$/);
  });

  test.each([
    [["--port", "banana"], {}, '--port is "banana", which is not a port'],
    [[], { DRAGOMAN_PORT: "70000" }, 'DRAGOMAN_PORT is "70000", which is not a port'],
    [["--model", "echo"], {}, '--model must be provider/model, such as demo/echo, or an alias, not "echo"'],
    [["--host", "no such host"], {}, '"no such host" is not an address to listen on'],
    [["--host", "203.0.113.7"], {}, "this computer does not have that address"],
  ])("with %j and %j", async (args, env, words) => {
    const { code, stdout, stderr } = await dragoman(["serve", "--home", path("home"), ...args], "", env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });

  test("with a home that is none", async () => {
    put("file", "");
    const { code, stdout, stderr } = await dragoman(["serve", "--port", "0", "--home", path("file")]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^dragoman: .*not a directory.*\n$/);
  });

  test("with tokens that others can write to", async () => {
    await dragoman(["token", "create", "--home", path("home")]);
    chmodSync(path("home/tokens.json"), 0o666);
    const { code, stderr } = await dragoman(["serve", "--port", "0", "--home", path("home")]);
    expect(code).toBe(2);
    expect(stderr).toContain("other users can write to it");
  });
});

test("others are let in only when that is asked for, and then it warns", async () => {
  const { child, ended } = await startServe(path("home"), ["--host", "0.0.0.0"]);
  child.kill("SIGTERM");
  const { stderr } = await ended;
  expect(stderr).toContain("warning: other computers can reach 0.0.0.0");
});

test("people get a banner with a link whose token no server ever sees", async () => {
  const child = spawn(process.execPath, [main, "serve", "--port", "0", "--home", path("home")]);
  let text = "";
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes("Ctrl-C")) child.kill("SIGINT");
  }
  expect(text).toMatch(/^Dragoman is listening on http:\/\/127\.0\.0\.1:\d+\n/);
  expect(text).toMatch(/open {3}http:\/\/127\.0\.0\.1:\d+\/#token=dgm_[\w-]{43}\n/);
  expect(text).toContain("demo/echo (needs no key");
});

test("the doctor tells for each agent with commands whether its sandbox works", async () => {
  const agents = {
    main: { sandbox: { network: true } },
    open: {},
    reader: { tools: ["read"], sandbox: {} },
    wrong: { sandbox: { read: ["/no/such/folder"] } },
  };
  put("home/config.json", JSON.stringify({ agents }));
  const { stdout } = await dragoman(["doctor", "--json", "--home", path("home")], "", { DRAGOMAN_PORT: "0" });
  const { findings }: { findings: { subject: string; level: string; message: string; fix?: string }[] } =
    JSON.parse(stdout);
  const seen = findings.filter(({ subject }) => subject === "sandbox");
  const missing = await sandboxProblem(path("home"), {});
  const no = (message = "", fix = "") => ({ subject: "sandbox", level: "problem", message, fix });
  expect(seen).toEqual([
    missing === undefined
      ? { subject: "sandbox", level: "ok", message: 'agent "main" runs commands in a sandbox with network' }
      : no(missing.message, missing.hint),
    { subject: "sandbox", level: "ok", message: 'agent "open" runs commands without a sandbox' },
    missing === undefined
      ? no(
          'commands cannot run in a sandbox: "/no/such/folder" in its settings does not exist',
          "correct `read` and `write` in the agent's `sandbox` setting",
        )
      : no(missing.message, missing.hint),
  ]);
});

test("the doctor finds nothing wrong with a fresh home, and says how to mend a bad one", async () => {
  const env = { DRAGOMAN_PORT: "0", ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" };
  const healthy = await dragoman(["doctor", "--json", "--home", path("home")], "", env);
  expect(healthy.code).toBe(0);
  const { findings } = JSON.parse(healthy.stdout);
  expect(findings.filter(({ level }: { level: string }) => level === "problem")).toEqual([]);
  expect(findings.map(({ subject }: { subject: string }) => subject)).toEqual([
    "node",
    "home",
    "tokens",
    "leftovers",
    "configuration",
    "gateway",
    "store",
    "model",
    "sandbox",
    "index",
    "runs",
    "locks",
    "clock",
  ]);

  chmodSync(path("home"), 0o755);
  writeFileSync(
    path("home/config.json"),
    '{"model":"anthropic/claude-opus-4-6","providers":{"openai":{"apiKey":"sk-secret"}}}',
    { mode: 0o644 },
  );
  const log = openHome(path("home"));
  const [one, two] = [await log.create({ agent: "main" }), await log.create({ agent: "main" })];
  for (const name of [`runs/${one.id}`, `inboxes/${one.id}`, `inboxes/${two.id}`]) put(`home/${name}`, "");
  const unfinished = `agents/main/sessions/~${one.id}`;
  put(`home/${unfinished}`, "");
  utimesSync(path(`home/${unfinished}`), 1, 1);
  const sick = await dragoman(["doctor", "--home", path("home")], "", env);
  expect(sick.code).toBe(1);
  expect(sick.stdout).toContain("other users can read it");
  expect(sick.stdout).toContain(`→ chmod 700 "${path("home")}"`);
  expect(sick.stdout).toContain("contains keys and has mode 0644");
  expect(sick.stdout).toContain("there is no API key for anthropic");
  expect(sick.stdout).toContain(`2 sessions with unanswered messages: ${one.id}, ${two.id}`);
  expect(sick.stdout).toContain(`unfinished files of killed commands: ${path(`home/${unfinished}`)}`);
  expect(sick.stdout).not.toContain("sk-secret");
});
