import { chmodSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { PeopleStore } from "../../src/gateway/channels/people-store.js";
import { openCells } from "../../src/log/files/cells.js";
import { webhookReceiver } from "../fakes/webhook-receiver.js";
import { hasPython, openTerminal } from "../support/cli/pseudo-terminal.js";
import { workspace } from "../support/cli/run-cli.js";

const { dragoman, path, put, get } = workspace();
const TOKEN = "123456:AAE-very_secret";

const channels = (args: string[], input = "", env: Record<string, string> = {}) =>
  dragoman(["channels", ...args, "--home", path("home")], input, env);

/** Says who the bot is to whoever has its token, as Telegram and Discord do. */
async function platform(): Promise<string> {
  const server = createServer((request, response) => {
    const known = request.url === `/bot${TOKEN}/getMe` || request.headers.authorization === `Bot ${TOKEN}`;
    const me = { id: 42, is_bot: true, username: "mybot" };
    response
      .writeHead(known ? 200 : 401)
      .end(JSON.stringify(known ? { ok: true, result: me } : { ok: false }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("add", () => {
  test("a token that the platform takes is stored; everything else in the file stays as it was", async () => {
    const apiRoot = await platform();
    put(
      "home/config.json",
      `{\n    "model": "demo/echo",\n    "channels": {"telegram": {"default": {"apiRoot": "${apiRoot}"}}}\n}\n`,
    );
    const { code, stdout, stderr } = await channels(
      ["add", "telegram", "--token-stdin", "--json"],
      `${TOKEN}\n`,
    );
    expect(JSON.parse(stdout)).toEqual({
      channel: "telegram",
      account: "default",
      me: { id: "42", name: "mybot" },
    });
    expect(stderr).toBe(
      [
        "Updated telegram. Connected as mybot (42).",
        "",
        "Next:",
        "  1. dragoman serve                  start the gateway, or restart it",
        "  2. send it a message (@mybot); it replies with a code",
        "  3. dragoman channels approve CODE --owner",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
    expect(get("home/config.json")).toBe(
      `{\n    "model": "demo/echo",\n    "channels": {"telegram": {"default": {"apiRoot": "${apiRoot}", "token": "${TOKEN}"}}}\n}\n`,
    );
    expect(statSync(path("home/config.json")).mode & 0o777).toBe(0o600);
  });

  test("a token that it does not take is not, and is not repeated", async () => {
    const apiRoot = await platform();
    const config = `{"channels":{"telegram":{"default":{"apiRoot":"${apiRoot}"}}}}`;
    put("home/config.json", config);
    const { code, stdout, stderr } = await channels(["add", "telegram", "--token-stdin"], "1:WRONGTOKEN");
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "dragoman: Telegram does not accept this token; copy the token again, or create a new one [channel/refused]\n",
    });
    expect(get("home/config.json")).toBe(config);
  });

  test("nobody answers: nothing of the address is shown", async () => {
    put("home/config.json", '{"channels":{"telegram":{"default":{"apiRoot":"http://127.0.0.1:1"}}}}');
    const { code, stderr } = await channels(["add", "telegram", "--token-stdin"], TOKEN);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^dragoman: cannot reach Telegram: .*\[channel\/unreachable\]\n$/);
    expect(stderr).not.toContain(TOKEN);
  });

  test.each([
    ["a line break", "12:a\n34:b"],
    ["nothing", "  \n"],
    ["a control character", "12:a\u001b[31m"],
  ])("%s in a token is refused", async (_, input) => {
    const { code, stderr } = await channels(["add", "telegram", "--token-stdin", "--no-test"], input);
    expect([code, stderr]).toEqual([
      2,
      "dragoman: the token must be one line of text; see `dragoman channels add --help` [cli/usage]\n",
    ]);
  });

  test("a secret of the environment stays there", async () => {
    const env = { DRAGOMAN_DISCORD_TOKEN_WORK: TOKEN };
    const { code, stderr } = await channels(["add", "discord/work", "--no-test", "--agent", "main"], "", env);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "Its secret is read from DRAGOMAN_DISCORD_TOKEN_WORK; set it for the gateway as well.",
    );
    expect(JSON.parse(get("home/config.json"))).toEqual({
      channels: { discord: { work: { agent: "main" } } },
    });
    expect((await channels(["add", "discord/work", "--token-stdin"], TOKEN, env)).stderr).toMatch(
      /^dragoman: DRAGOMAN_DISCORD_TOKEN_WORK is set and overrides the stored token/,
    );
  });

  test.each(["{", '{"channels":{"telegramm":{}}}'])("a damaged file is left alone: %s", async (text) => {
    put("home/config.json", text);
    const { code, stderr } = await channels(["add", "telegram", "--token-stdin", "--no-test"], TOKEN);
    expect(code).toBe(2);
    expect(stderr).toContain("[config/invalid]");
    expect(get("home/config.json")).toBe(text);
  });

  test.each([
    [["add"], "missing argument ACCOUNT"],
    [["add", "signal"], 'unknown channel "signal"; use telegram, discord, whatsapp, webhook'],
    [["add", "telegram/../../x"], "an account name must be up to 64 letters, digits, `_`, `-` and `.`"],
    [["add", "telegram/.."], "an account name must be up to 64 letters, digits, `_`, `-` and `.`"],
    [["add", "telegram", "--url", "https://x.example"], "--url applies only to webhook"],
    [["add", "whatsapp", "--no-test", "--agent", "nobody"], 'no agent "nobody" in the config'],
    [
      ["add", "telegram"],
      "the token is missing: pipe it in with --token-stdin, or set DRAGOMAN_TELEGRAM_TOKEN",
    ],
  ])("%j is wrong usage", async (args, message) => {
    const { code, stderr } = await channels(args);
    expect([code, stderr]).toEqual([
      2,
      `dragoman: ${message}; see \`dragoman channels add --help\` [cli/usage]\n`,
    ]);
  });

  if (!hasPython) process.stderr.write("skipped: a pseudo-terminal needs python3 with its module pty\n");
  test.skipIf(!hasPython)("on a terminal the token is asked for and never shown", async () => {
    const args = ["channels", "add", "telegram", "--no-test", "--home", path("home")];
    const terminal = openTerminal(args);
    await terminal.until("telegram token (not shown):");
    terminal.type(`${TOKEN}x\u007f\r`);
    await terminal.until("Added telegram.");
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).not.toContain("secret");
    expect(JSON.parse(get("home/config.json"))).toEqual({
      channels: { telegram: { default: { token: TOKEN } } },
    });
  });

  test.skipIf(!hasPython)("Ctrl-C there changes nothing", async () => {
    const terminal = openTerminal(["channels", "add", "telegram", "--no-test", "--home", path("home")]);
    await terminal.until("(not shown):");
    terminal.type("12\u0003");
    await terminal.until("nothing was entered");
    expect(await terminal.ended).toBe(2);
    expect(() => get("home/config.json")).toThrow("ENOENT");
  });
});

const people = (account = "default") => new PeopleStore(openCells(path("home")), "telegram", account);

function configure(settings: object): void {
  put("home/config.json", JSON.stringify({ channels: settings }));
}

describe("approve", () => {
  test("lists who waits, and lets them in", async () => {
    configure({ telegram: { default: { token: TOKEN }, work: {} } });
    await people().requestCode({ id: "7", name: "Ann\u001b[31m\n" }, "m1");
    const code = (await people("work").requestCode({ id: "8" }, "m2")) ?? "";
    const listed = await channels(["approve"]);
    expect(listed.stdout.replace(/^[A-Z2-9]{8} /gm, "CODECODE ")).toBe(
      [
        "CODE      ACCOUNT        ID  ASKED     NAME (UNVERIFIED)",
        "CODECODE  telegram       7   just now  Ann",
        "CODECODE  telegram/work  8   just now",
        "",
      ].join("\n"),
    );
    const done = await channels(["approve", code.toLowerCase(), "--owner", "--json"]);
    expect(JSON.parse(done.stdout)).toEqual({ channel: "telegram", account: "work", id: "8", owner: true });
    expect(done.stderr).toBe("8 is approved as an owner on telegram/work and will get answers\n");
    expect(await people("work").approved()).toMatchObject([{ id: "8", owner: true }]);
    const again = await channels(["approve", code]);
    expect([again.code, again.stderr]).toEqual([
      2,
      `dragoman: no pending request with the code "${code}"; codes expire after an hour; \`dragoman channels approve\` lists the pending requests [channel/no-code]\n`,
    ]);
  });

  test("nobody", async () => {
    expect(await channels(["approve"])).toEqual({ code: 0, stdout: "", stderr: "no pending requests\n" });
  });
});

describe("list, status, remove and test", () => {
  test("no secret is shown anywhere", async () => {
    configure({
      telegram: { default: { token: TOKEN, allow: ["7", "8"], owners: ["7"] }, work: {} },
      whatsapp: { default: {} },
    });
    const env = { DRAGOMAN_TELEGRAM_TOKEN_WORK: TOKEN };
    const list = await channels(["list"], "", env);
    expect(list.stdout).toBe(
      [
        "CHANNEL   ACCOUNT  AGENT  DIRECT   GROUPS   SECRET       PEOPLE  WAITING",
        "telegram  default  main   pairing  mention  file         2       0",
        "telegram  work     main   pairing  mention  environment  0       0",
        "whatsapp  default  main   pairing  mention  none         0       0",
        "",
      ].join("\n"),
    );
    const shown = await Promise.all([
      channels(["list", "--json"], "", env),
      channels(["status"], "", env),
      channels(["status", "--json"], "", env),
    ]);
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain("very_secret");
    expect(JSON.parse(shown[0]?.stdout ?? "")[0]).toEqual({
      channel: "telegram",
      account: "default",
      agent: "main",
      direct: "pairing",
      groups: "mention",
      secret: "file",
      known: 2,
      pending: 0,
    });
    expect(JSON.parse(shown[2]?.stdout ?? "")).toEqual({
      gateway: null,
      channels: [
        {
          channel: "telegram",
          account: "default",
          state: "off",
          unsent: 0,
          unknown: 0,
          refused: 0,
          pairing: 0,
        },
        { channel: "telegram", account: "work", state: "off", unsent: 0, unknown: 0, refused: 0, pairing: 0 },
        {
          channel: "whatsapp",
          account: "default",
          state: "off",
          unsent: 0,
          unknown: 0,
          refused: 0,
          pairing: 0,
        },
      ],
    });
  });

  test("an account goes, and its files when asked for", async () => {
    put(
      "home/config.json",
      `{\n  "model": "demo/echo",\n  "channels": {\n    "telegram": {\n      "default": { "token": "${TOKEN}" }\n    }\n  }\n}\n`,
    );
    await people().requestCode({ id: "7" }, "m1");
    const { code, stderr } = await channels(["remove", "telegram"]);
    expect(code).toBe(0);
    expect(stderr).not.toContain("very_secret");
    expect(get("home/config.json")).toBe('{\n  "model": "demo/echo"\n}\n');
    expect(await people().pending()).toHaveLength(1);
    expect((await channels(["remove", "telegram"])).stderr).toMatch(
      /^dragoman: no account telegram; .* \[channel\/no-account\]\n$/,
    );
    await channels(["add", "telegram", "--no-test", "--token-stdin"], TOKEN);
    expect((await channels(["remove", "telegram", "--files"])).code).toBe(0);
    expect(await people().pending()).toEqual([]);
  });

  test("somebody goes", async () => {
    configure({ telegram: { default: { allow: ["9"] } } });
    await people().approve((await people().requestCode({ id: "7" }, "m1")) ?? "", true);
    expect(await channels(["remove", "telegram", "--person", "7"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "7 no longer gets answers from telegram\n",
    });
    expect(await people().approved()).toEqual([]);
    expect((await channels(["remove", "telegram", "--person", "7"])).stderr).toContain(
      "[channel/no-account]",
    );
    expect((await channels(["remove", "telegram", "--person", "9"])).stderr).toContain(
      "remove the id from allow",
    );
  });

  test("test asks each platform", async () => {
    const [apiRoot, receiver] = [await platform(), await webhookReceiver()];
    receiver.answers.push((response) => response.writeHead(401).end());
    configure({
      telegram: { default: { token: TOKEN, apiRoot } },
      discord: { default: { token: "wrong", apiRoot } },
      whatsapp: { default: {} },
      webhook: { crm: { secret: "0123456789abcdef", url: receiver.url } },
    });
    const { code, stdout } = await channels(["test"]);
    expect(stdout).toBe(
      [
        "✓  telegram     mybot (42)",
        "✗  discord      Discord does not accept this token; copy the token again, or create a new one [channel/refused]",
        "✓  whatsapp     checked only while the gateway runs: `dragoman channels status`",
        `✗  webhook/crm  ${new URL(receiver.url).host} replied with HTTP 401; the receiver must answer a signed request with 2xx [channel/refused]`,
        "",
      ].join("\n"),
    );
    expect(code).toBe(1);
    expect((await channels(["test", "webhook/crm"])).code).toBe(0);
  });
});

test("a file that cannot be understood is named, and not replaced", async () => {
  configure({ telegram: { default: {} } });
  await people().requestCode({ id: "7" }, "m1");
  writeFileSync(people().path, "{", { mode: 0o600 });
  const { code, stderr } = await channels(["approve"]);
  expect([code, stderr.includes("[channel/bad-people]")]).toEqual([2, true]);
  expect(get("home/channels/telegram/default/people.json")).toBe("{");
});

test("the doctor looks at every account", async () => {
  configure({
    telegram: { default: { token: TOKEN, direct: "open", agent: "nobody" }, work: {} },
    discord: { default: { token: "x" } },
    webhook: { crm: { secret: "0123456789abcdef", url: "http://crm.example/answers" } },
  });
  chmodSync(path("home/config.json"), 0o644);
  await people("work").requestCode({ id: "7" }, "m1");
  const { code, stdout } = await dragoman(["doctor", "--json", "--home", path("home")], "", {
    DRAGOMAN_PORT: "0",
  });
  const { findings }: { findings: { subject: string; level: string; message: string; fix?: string }[] } =
    JSON.parse(stdout);
  const seen = findings.flatMap(({ subject, level, message, fix = "" }) =>
    /telegram|discord|webhook|configuration/.test(subject)
      ? [[subject, level, message, fix].join(" | ")]
      : [],
  );
  expect(seen).toEqual([
    "configuration | ok | valid | ",
    `configuration | problem | ${path("home/config.json")} contains keys and has mode 0644 | chmod 600 "${path("home/config.json")}"`,
    `telegram | problem | no agent "nobody" in the config | set it to one of the configured agents`,
    'telegram | warning | answers everyone who writes to it, at your expense | set "direct" to "pairing" unless this is intended',
    "telegram/work | problem | has no token | add one with `dragoman channels add telegram/work`, or set DRAGOMAN_TELEGRAM_TOKEN_WORK",
    "telegram/work | warning | 1 person is waiting for approval | `dragoman channels approve` lists them",
    "discord | ok | ready | ",
    "webhook/crm | warning | answers are posted signed but not encrypted | use an https:// URL",
  ]);
  expect(code).toBe(1);
  expect(stdout).not.toContain("very_secret");
});

describe("normalise and render", () => {
  const native =
    '{"message_id":123,"from":{"id":123456789,"first_name":"John"},"chat":{"id":123456789,"type":"private"},"text":"Hello, bot!","date":1234567890}';

  test("a native message becomes an OpenClaw message, and an answer the requests of a platform", async () => {
    const read = await dragoman(["channels", "normalise", "telegram", "--bot", "987654321"], native);
    expect([read.code, JSON.parse(read.stdout), read.stderr]).toEqual([
      0,
      {
        From: "123456789",
        To: "987654321",
        ChatType: "direct",
        Text: "Hello, bot!",
        MessageId: "123",
        Timestamp: 1234567890,
      },
      "",
    ]);
    const written = await dragoman(["channels", "render", "whatsapp"], "**Hi**");
    expect([written.code, JSON.parse(written.stdout)]).toEqual([0, [{ text: "*Hi*" }]]);
  });

  test("what is not a message is refused in plain words", async () => {
    const empty = await dragoman(["channels", "normalise", "telegram"], '{"update_id":1}');
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([
      1,
      "",
      "standard input is not a message: the update contains no message\n",
    ]);
    const unknown = await dragoman(["channels", "render", "fax"], "x");
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      'dragoman: unknown platform "fax"; use telegram, discord, whatsapp, webhook; see `dragoman channels render --help` [cli/usage]\n',
    ]);
  });
});
