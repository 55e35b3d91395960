import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";

const { path, put, get: read, dragoman, spawned } = workspace();

const KEY = "sk-test-0123456789";
const clean = { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "", OPENAI_API_KEY: "", GEMINI_API_KEY: "" };

describe("dragoman keys", () => {
  test("a key is stored for its owner only, listed without its text, and removed", async () => {
    put("home/config.json", '{\n  // my settings\n  "model": "demo/echo"\n}\n');
    const made = await dragoman(["keys", "set", "openai", "--home", "home"], `${KEY}\n`, clean);
    expect(made).toMatchObject({ code: 0, stdout: "" });
    expect(made.stderr).toMatch(
      /^the openai key is stored in .*\/home\/config.json, which only you can read\n$/,
    );
    expect(read("home/config.json")).toBe(
      `{\n  // my settings\n  "model": "demo/echo",\n  "providers": {\n    "openai": {\n      "apiKey": "${KEY}"\n    }\n  }\n}\n`,
    );
    expect(statSync(path("home/config.json")).mode & 0o777).toBe(0o600);
    const listed = await dragoman(["keys", "--home", "home"], "", { ...clean, GEMINI_API_KEY: KEY });
    expect(listed).toEqual({
      code: 0,
      stdout: "PROVIDER  KEY FROM\ngoogle    the environment, GEMINI_API_KEY\nopenai    config.json\n",
      stderr: "",
    });
    const json = await dragoman(["keys", "list", "--json", "--home", "home"], "", clean);
    expect(JSON.parse(json.stdout)).toEqual([{ provider: "openai", source: "config" }]);
    expect(await dragoman(["keys", "remove", "openai", "--home", "home"], "", clean)).toEqual({
      code: 0,
      stdout: "",
      stderr: "the openai key is removed\n",
    });
    expect(read("home/config.json")).toBe('{\n  // my settings\n  "model": "demo/echo"\n}\n');
    expect((await dragoman(["keys", "--home", "home"], "", clean)).stderr).toBe(
      "no provider has a key; `dragoman keys set PROVIDER` stores one\n",
    );
  });

  test("a misspelt provider and a key with spaces are refused, without the key", async () => {
    const misspelt = await dragoman(["keys", "set", "antropic", "--home", "home"], KEY, clean);
    expect(misspelt).toMatchObject({
      code: 2,
      stderr:
        'dragoman: no provider "antropic"; did you mean "anthropic"?; see `dragoman keys set --help` [cli/usage]\n',
    });
    const spaced = await dragoman(["keys", "set", "openai", "--json", "--home", "home"], "a key", clean);
    expect(JSON.parse(spaced.stderr)).toEqual({
      error: { code: "cli/usage", message: "an API key is one line of visible characters" },
    });
  });
});

describe("dragoman config", () => {
  test("get prints settings without secrets", async () => {
    put(
      "home/config.json",
      JSON.stringify({
        model: "demo/echo",
        providers: { openai: { apiKey: KEY, headers: { "x-team": "a" } } },
        gateway: { port: 1234 },
        store: "postgres://ann:a/b:c@d@db.example/dragoman",
      }),
    );
    const all = await dragoman(["config", "get", "--home", "home"]);
    expect(JSON.parse(all.stdout)).toEqual({
      model: "demo/echo",
      providers: { openai: { apiKey: "(hidden)", headers: { "x-team": "(hidden)" } } },
      gateway: { port: 1234 },
      store: "postgres://(hidden)@db.example/dragoman",
    });
    expect((await dragoman(["config", "get", "model", "--home", "home"])).stdout).toBe("demo/echo\n");
    expect((await dragoman(["config", "get", "/gateway/port", "--home", "home"])).stdout).toBe("1234\n");
    expect(await dragoman(["config", "get", "gateway.host", "--home", "home"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "gateway.host is not set\n",
    });
  });

  test("set keeps comments and order, and refuses what the schema refuses", async () => {
    const before =
      '{\n  // the port\n  "gateway": { "port": 1 }, // of the gateway\n  "model": "demo/echo"\n}\n';
    put("home/config.json", before);
    expect(await dragoman(["config", "set", "gateway.port", "2", "--home", "home"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "gateway.port is set\n",
    });
    await dragoman(["config", "set", "agents.main.model", "demo/tools", "--home", "home"]);
    const after = before
      .replace('"port": 1', '"port": 2')
      .replace(
        '"demo/echo"\n',
        '"demo/echo",\n  "agents": {\n    "main": {\n      "model": "demo/tools"\n    }\n  }\n',
      );
    expect(read("home/config.json")).toBe(after);
    const refused = await dragoman(["config", "set", "gateway.port", "many", "--home", "home"]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^dragoman: line 3, column 24, at \/gateway\/port: .*config.json: expected integer, found "many"; see schemas\/Config.json for all settings \[config\/invalid\]\n$/,
      ),
    });
    expect(read("home/config.json")).toBe(after);
    await dragoman(["config", "unset", "agents.main.model", "--home", "home"]);
    expect(read("home/config.json")).toBe(before.replace('"port": 1', '"port": 2'));
  });

  test("secrets and elements of lists are not set on the command line", async () => {
    put("home/config.json", '{"gateway": {"origins": ["https://a.example"]}}');
    const secret = await dragoman(["config", "set", "providers.openai.apiKey", KEY, "--home", "home"]);
    expect(secret).toMatchObject({
      code: 2,
      stderr:
        "dragoman: providers.openai.apiKey can be a secret, which a command line would reveal; use `dragoman keys set openai`; see `dragoman config set --help` [cli/usage]\n",
    });
    const login = await dragoman(["config", "set", "store", "postgres://ann:hush@db/x", "--home", "home"]);
    expect(login).toMatchObject({ code: 2, stderr: expect.stringContaining("store can be a secret") });
    put("other/config.json", '{"store": "mysql://ann:hush@db/x"}');
    expect((await dragoman(["config", "check", "--home", "other"])).stderr).toMatch(
      /: expected text that matches \^postgres\(ql\)\?:\/\/, found another value; /,
    );
    const element = await dragoman([
      "config",
      "set",
      "gateway.origins.0",
      "https://b.example",
      "--home",
      "home",
    ]);
    expect(element.stderr).toContain("gateway.origins is a list; set all of it");
  });

  test("check lists every problem with its place", async () => {
    put("home/config.json", '{\n  "modle": 1,\n  "gateway": { "port": "x" }\n}');
    const { code, stdout } = await dragoman(["config", "check", "--json", "--home", "home"]);
    const { problems }: { problems: { at: string; line: number; column: number }[] } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(problems.map(({ at, line, column }) => [at, line, column])).toEqual([
      ["/modle", 2, 12],
      ["/gateway/port", 3, 24],
    ]);
    put("home/config.json", "{ // nothing\n}");
    expect(await dragoman(["config", "check", "--home", "home"])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/config.json is valid\n$/),
    });
  });

  test("edit saves what is valid, and leaves the file alone otherwise", async () => {
    put("home/config.json", '{\n  "model": "demo/echo"\n}\n');
    const edit = (script: string) =>
      spawned(["config", "edit", "--home", "home"], "", { VISUAL: "", EDITOR: `sed -i ${script}` });
    expect(await edit("s/echo/tools/")).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/config.json is saved\n$/),
    });
    expect(read("home/config.json")).toBe('{\n  "model": "demo/tools"\n}\n');
    expect(await edit("s/model/modle/")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/at \/modle: [\s\S]*\nnothing was changed\n$/),
    });
    expect(read("home/config.json")).toBe('{\n  "model": "demo/tools"\n}\n');
    put("home/config.json", '{\n  "modle": "demo/echo"\n}\n');
    expect(await edit("s/modle/model/")).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/config.json is saved\n$/),
    });
    expect(read("home/config.json")).toBe('{\n  "model": "demo/echo"\n}\n');
  });
});
