import { expect, test } from "vitest";
import { checkPinned, checkWorkspaces, compareGateways } from "./check-gateways.js";

const member = (url: string, config: Record<string, string>) => ({
  id: url,
  url,
  version: "0.1.0",
  started: 0,
  config,
});

test("gateways of one store are compared by their configurations", () => {
  const first = member("http://a:1", { agents: "0", model: "1" });
  expect(compareGateways([])).toEqual([]);
  expect(compareGateways([first])).toEqual([]);
  expect(compareGateways([member("http://b:1", { model: "1", agents: "0" }), first])).toEqual([
    {
      subject: "gateways",
      level: "ok",
      message: "2 share this store, with the same configuration: http://a:1, http://b:1",
    },
  ]);
  const others = [member("http://c:1", { agents: "2", channels: "3", model: "1" }), member("http://b:1", {})];
  expect(compareGateways([first, ...others]).map(({ level, message }) => [level, message])).toEqual([
    [
      "warning",
      "http://a:1 and http://b:1 share this store, and their configurations differ in agents, model: answers depend on which of them runs a session",
    ],
    [
      "warning",
      "http://a:1 and http://c:1 share this store, and their configurations differ in agents, channels: answers depend on which of them runs a session",
    ],
  ]);
});

test("agents that use files need a shared volume", async () => {
  const tools: Record<string, string[]> = { main: ["read"], build: ["exec"], claude: [], talk: ["remember"] };
  const agents = (...ids: string[]) => ({
    agents: {
      ids,
      isProgram: (id: string) => id === "claude",
      toolsOf: async (id: string) => tools[id] ?? [],
      workspaceOf: (id: string) => `/data/${id}`,
      gatewayOf: (id: string) => (id === "build" ? "http://a:1" : undefined),
    },
  });
  expect(await checkWorkspaces(agents("talk", "build"))).toEqual([]);
  expect(await checkWorkspaces(agents("main", "claude", "talk"))).toEqual([
    {
      subject: "workspaces",
      level: "warning",
      message:
        "the store can be shared, but these agents' files are on this computer: main (/data/main), claude (/data/claude)",
      fix: 'if several gateways use the store, mount each workspace from a shared volume at the same path on all of them, or set "gateway" of these agents to the URL of the gateway that has their files',
    },
  ]);
});

test("an agent whose only gateway is not there is named", () => {
  const agents = {
    ids: ["main", "build"],
    gatewayOf: (id: string) => (id === "build" ? "http://b:1" : undefined),
  };
  expect(checkPinned([{ url: "http://a:1" }, { url: "http://b:1" }], agents)).toEqual([]);
  expect(checkPinned([{ url: "http://a:1" }], agents)).toEqual([
    {
      subject: "gateways",
      level: "warning",
      message:
        "the agent build runs only on http://b:1, and no gateway of this store advertises that URL: its messages wait",
      fix: 'start that gateway with --advertise http://b:1, or change "gateway" of the agent',
    },
  ]);
});
