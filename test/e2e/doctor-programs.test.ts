import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { announceGateway } from "../../src/cli/running-gateway.js";
import { acpProgram } from "../fakes/acp-program.js";
import { workspace } from "../support/cli/run-cli.js";

const { path, put, dragoman } = workspace();

async function findings(subject: string, env: Record<string, string> = {}) {
  const { stdout } = await dragoman(["doctor", "--json", "--home", path("home")], "", {
    DRAGOMAN_PORT: "0",
    ...env,
  });
  const all: { subject: string; level: string; message: string; fix?: string }[] =
    JSON.parse(stdout).findings;
  return all.filter((one) => one.subject === subject).map(({ subject: _, ...one }) => one);
}

test("the doctor starts the programs that are agents", async () => {
  const works = { command: process.execPath, args: ["-e", acpProgram] };
  const silent = { command: process.execPath, args: ["-e", ""] };
  put(
    "home/config.json",
    JSON.stringify({
      model: "demo/echo",
      agents: {
        works: { acp: works },
        missing: { acp: { command: "no-such-agent" } },
        silent: { acp: silent },
        login: { acp: { ...works, authMethod: "oauth" } },
      },
    }),
  );
  const fix = (id: string) =>
    `fix \`agents.${id}.acp\`; the command must be installed and speak the Agent Client Protocol`;
  expect(await findings("agent")).toEqual([
    { level: "ok", message: "works: fake-agent 1.2.3 answers" },
    {
      level: "problem",
      message: 'missing: the agent program "no-such-agent" failed: the program "no-such-agent" was not found',
      fix: fix("missing"),
    },
    {
      level: "problem",
      message: `silent: the agent program ${JSON.stringify(process.execPath)} failed: the process exited with code 0`,
      fix: fix("silent"),
    },
    {
      level: "problem",
      message: 'login: the program has no login method "oauth"',
      fix: "remove `authMethod` from its settings",
    },
  ]);
});

test("the doctor finds the home's gateway on any port, and another program on the configured one", async () => {
  put("home/config.json", '{"model":"demo/echo"}');
  const server = createServer((_, response) => response.end("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await findings("gateway", { DRAGOMAN_PORT: `${port}` })).toEqual([
    {
      level: "problem",
      message: `127.0.0.1, port ${port}: in use by another program, or by the gateway of another home`,
      fix: "choose another port with --port or gateway.port",
    },
  ]);
  const withdraw = await announceGateway(path("home"), "http://127.0.0.1:4711");
  expect(await findings("gateway")).toEqual([{ level: "ok", message: "running at http://127.0.0.1:4711" }]);
  await withdraw();
});
