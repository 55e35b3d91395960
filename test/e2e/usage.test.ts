import { expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";

const { path, put, dragoman, spawned } = workspace();

/** A word costs $0.25, in and out alike. */
const prices = { input: 250_000, output: 250_000, cacheRead: 0, cacheWrite: 0 };
const config = JSON.stringify({ model: "demo/echo", models: { "demo/echo": { prices } } });

function ask(url: string, token: string, content: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content }] }),
  });
}

test("what a token spent survives kill -9, and is listed", async () => {
  put("home/config.json", config);
  const home = ["--home", path("home")];
  const created = await dragoman([
    ...["token", "create", "--name", "ci", "--budget", "1/month", "--rate", "30/minute", "--json", ...home],
  ]);
  const { token, id, budget, requestsPerMinute } = JSON.parse(created.stdout);
  expect({ budget, requestsPerMinute }).toEqual({
    budget: { dollars: 1, per: "month" },
    requestsPerMinute: 30,
  });

  const first = await startServe(path("home"));
  const answer = await ask(first.url, token, "one two");
  expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "one two" } }] });
  first.child.kill("SIGKILL");
  await first.ended;

  const second = await startServe(path("home"));
  const refused = await ask(second.url, token, "three");
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: "insufficient_quota" } });
  const raised = await dragoman(["token", "set", "ci", "--budget", "2/month", "--rate", "none", ...home]);
  expect(raised.stderr).toBe(`token ${id} (ci, scope chat, budget $2/month)\n`);
  const again = await dragoman(["token", "set", "ci", "--budget", "2/month", "--json", ...home]);
  expect(JSON.parse(again.stdout)).toMatchObject({ id, name: "ci", budget: { dollars: 2, per: "month" } });
  expect(again.stdout + again.stderr).not.toMatch(/hash|dgm_|^token/);
  expect((await ask(second.url, token, "three")).status).toBe(200);
  second.child.kill("SIGKILL");
  await second.ended;

  const list = await dragoman(["token", "list", ...home]);
  expect(list.stdout.split("\n").find((line) => line.endsWith("ci"))).toMatch(
    / {2}\$2\/month {2}\$1\.50 {2}default {2}ci$/,
  );
  const usage = await dragoman(["usage", "--by", "token", ...home]);
  const name = `${id} (ci)`;
  expect(usage.stdout).toBe(
    [
      `${"TOKEN".padEnd(name.length)}  CALLS  INPUT  OUTPUT  CACHE READ  CACHE WRITE  REASONING   COST`,
      `${name}      2      3       3           0            0          0  $1.50`,
      `${"total".padEnd(name.length)}      2      3       3           0            0          0  $1.50`,
      "",
    ].join("\n"),
  );
});

test("a chat without a gateway counts as local", async () => {
  put("home/config.json", config);
  const home = ["--home", path("home")];
  await dragoman(["chat", "-p", "hello there", ...home]);
  const { stdout } = await dragoman(["usage", "--by", "agent", "--json", ...home]);
  expect(JSON.parse(stdout)).toMatchObject({
    by: "agent",
    rows: [{ name: "main", calls: 1, output: 2, unpriced: 0 }],
    total: { calls: 1, output: 2 },
  });
  const tokens = await dragoman(["usage", "--by", "token", "--json", ...home]);
  expect(JSON.parse(tokens.stdout).rows).toMatchObject([{ name: "local", calls: 1 }]);
});

test("a call without a price counts tokens and no dollars", async () => {
  put("home/config.json", '{"model":"demo/echo"}');
  const home = ["--home", path("home")];
  // Prices of other tests stay in the catalogue of a process.
  await spawned(["chat", "-p", "hello there", ...home]);
  const { stdout, stderr } = await dragoman(["usage", ...home]);
  expect(stdout.split("\n")[1]).toMatch(/^demo\/echo {6}1 .* \?$/);
  expect(stderr).toBe("the cost of 1 of 1 calls is not fully known\n");
});

test("a period without calls says so", async () => {
  const home = ["--home", path("home")];
  const since = ["--since", "2020-01-01", "--until", "2020-01-31"];
  expect(await dragoman(["usage", ...since, ...home])).toEqual({
    code: 0,
    stdout: "",
    stderr: "no calls from 2020-01-01 to 2020-01-31 (UTC)\n",
  });
});

test.each([
  [
    ["token", "create", "--budget", "5"],
    "--budget must be dollars per day or month, such as 5/day or 100/month",
  ],
  [["token", "create", "--rate", "60"], "--rate must be requests per minute, such as 60/minute"],
  [["token", "set", "x"], "pass --budget, --rate or both"],
  [["token", "set", "x", "--rate", "none"], 'there is no token "x"'],
  [["usage", "--since", "2026-02-30"], "--since must be a day such as 2026-11-01, or days ago such as 7d"],
  [
    ["usage", "--since", "2026-02-03", "--until", "2026-02-02"],
    "--until 2026-02-02 is before --since 2026-02-03",
  ],
])("%j is refused", async (args, message) => {
  const { code, stderr } = await dragoman([...args, "--home", path("home")]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
