import { describe, expect, test } from "vitest";
import { modelServer } from "../fakes/model-server.js";
import { workspace } from "../support/cli/run-cli.js";

const { put, dragoman } = workspace();
const provider = modelServer();

describe("dragoman models", () => {
  test("lists, with and without `list`", async () => {
    put(
      "home/config.json",
      JSON.stringify({ aliases: { fast: "demo/script" }, gateway: { discover: false } }),
    );
    const bare = await dragoman(["models", "--provider", "demo", "--home", "home"]);
    expect(bare).toEqual(await dragoman(["models", "list", "--provider", "demo", "--home", "home"]));
    expect(bare).toEqual({
      code: 0,
      stdout: [
        "MODEL               CONTEXT  OUTPUT  $ IN/OUT  READY",
        "fast → demo/script                             yes",
        "demo/echo                                      yes",
        "demo/tools                                     yes",
        "demo/script                                    yes",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  test("as JSON", async () => {
    put("home/config.json", JSON.stringify({ gateway: { discover: false } }));
    const { stdout } = await dragoman(["models", "--provider", "anthropic", "--json", "--home", "home"]);
    const list: { name: string }[] = JSON.parse(stdout);
    expect(list.find(({ name }) => name === "anthropic/claude-opus-4-6")).toEqual({
      name: "anthropic/claude-opus-4-6",
      contextWindow: 1_000_000,
      maxOutput: 128_000,
      prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
      released: "2026-02-05",
      key: false,
    });
  });

  const lists = {
    aliases: {
      smart: { models: ["demo/echo", { model: "anthropic/claude-opus-4-6", on: ["context", "overload"] }] },
      best: { models: ["smart", "demo/tools"] },
    },
    gateway: { discover: false },
  };

  test("shows the models of a list in their order, with conditions", async () => {
    put("home/config.json", JSON.stringify(lists));
    const { stdout } = await dragoman(["models", "--provider", "demo", "--home", "home"]);
    expect(stdout.split("\n").slice(1, 3)).toEqual([
      expect.stringMatching(/^smart → demo\/echo, anthropic\/claude-opus-4-6 \(context, overload\) +no$/),
      expect.stringMatching(
        /^best → demo\/echo, anthropic\/claude-opus-4-6 \(context, overload\), demo\/tools +no$/,
      ),
    ]);
    const { stdout: json } = await dragoman(["models", "--provider", "demo", "--json", "--home", "home"]);
    expect(JSON.parse(json)[0]).toEqual({
      name: "demo/echo",
      alias: "smart",
      models: [{ name: "demo/echo" }, { name: "anthropic/claude-opus-4-6", on: ["context", "overload"] }],
      key: false,
    });
  });

  test("does not test a list as if it were one model", async () => {
    put("home/config.json", JSON.stringify(lists));
    expect(await dragoman(["models", "test", "smart", "--home", "home"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "smart is a list of models; test one of them: demo/echo, anthropic/claude-opus-4-6",
      ),
    });
  });

  test("names the providers and the variables", async () => {
    put("home/config.json", JSON.stringify({ gateway: { discover: false } }));
    const { stderr } = await dragoman(["models", "--provider", "groq", "--home", "home"]);
    expect(stderr).toBe("no key for groq: run `dragoman keys set groq`, or set GROQ_API_KEY\n");
    const cloud = await dragoman(["models", "--provider", "bedrock", "--home", "home"], "", {
      AWS_REGION: "us-east-1",
    });
    expect(cloud.stderr).toBe(
      "there are no AWS credentials: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run aws configure\n",
    );
    const unknown = await dragoman(["models", "--provider", "acme", "--home", "home"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/^dragoman: --provider must be one of anthropic, /);
  });
});

test("the doctor checks the models behind aliases", async () => {
  put(
    "home/config.json",
    JSON.stringify({ aliases: { good: "demo/echo", bad: "groq/m", main: "agent/main" } }),
  );
  const { stdout } = await dragoman(["doctor", "--json", "--home", "home"], "", { DRAGOMAN_PORT: "0" });
  const { findings }: { findings: { subject: string; level: string; message: string }[] } =
    JSON.parse(stdout);
  expect(
    findings.filter(({ subject }) => subject === "alias").map(({ level, message }) => `${level}: ${message}`),
  ).toEqual([
    "ok: good: ready; `dragoman models test good` calls it",
    "problem: there is no API key for groq",
  ]);
});

test("the doctor checks every model of a list, and reports a wrong list with its place", async () => {
  const doctor = async (aliases: object) => {
    put("home/config.json", JSON.stringify({ aliases }));
    const { stdout } = await dragoman(["doctor", "--json", "--home", "home"], "", { DRAGOMAN_PORT: "0" });
    const { findings }: { findings: { subject: string; level: string; message: string }[] } =
      JSON.parse(stdout);
    return findings
      .filter(({ subject }) => subject === "alias" || subject === "configuration")
      .map(({ subject, level, message }) => `${level}: ${subject}: ${message}`);
  };
  expect(
    await doctor({
      good: { models: ["demo/echo", "demo/tools"] },
      bad: { models: ["demo/echo", "groq/m"] },
    }),
  ).toEqual([
    "ok: configuration: valid",
    "ok: alias: good: ready (demo/echo, demo/tools)",
    "problem: alias: there is no API key for groq",
  ]);
  expect(await doctor({ loop: { models: ["demo/echo", "loop"] } })).toEqual([
    expect.stringMatching(/^problem: configuration: .+config\.json: the list "loop" contains itself/),
  ]);
});

describe("dragoman models test", () => {
  test("reports what works", async () => {
    const { code, stdout } = await dragoman(["models", "test", "demo/script", "--json"]);
    const { model, checks }: { model: string; checks: { name: string; result: string }[] } =
      JSON.parse(stdout);
    expect([code, model]).toEqual([0, "demo/script"]);
    expect(checks.map(({ name, result }) => `${name} ${result}`)).toEqual([
      "text works",
      "tools works",
      "thinking works",
      "images skipped",
      "structured output works",
    ]);
  });

  test("fails with code 1, and says why", async () => {
    provider.serve("openai-chat", []);
    const providers = { mine: { baseUrl: provider.url, maxRetries: 0 } };
    put("home/config.json", JSON.stringify({ providers }));
    const { code, stdout } = await dragoman(["models", "test", "mine/m", "--home", "home"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^text +fails +[\d.]+ s +.*asked too often/m);
  });

  test("a model without a key is not called", async () => {
    const { code, stderr } = await dragoman(["models", "test", "groq/m"]);
    expect([code, stderr]).toEqual([
      2,
      "dragoman: there is no API key for groq; set GROQ_API_KEY, or pass apiKey [provider/no-key]\n",
    ]);
  });
});
