import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { agentsOf } from "./agents.js";
import { connector } from "./models.js";
import type { Config } from "./schema.js";

test("the commands of an agent run in the sandbox that its settings describe, without sight of the home", async () => {
  const home = temporaryFolder();
  const config: Config = { agents: { shut: { sandbox: { read: ["~/.nvm"] } }, open: { sandbox: false } } };
  const agents = agentsOf(config, home, connector(config));
  expect(agents.sandboxOf("shut")).toEqual({ read: ["~/.nvm"], hide: [home] });
  expect([agents.sandboxOf("open"), agents.sandboxOf("main")]).toEqual([undefined, undefined]);
  const descriptions = await Promise.all(
    ["shut", "open"].map(async (id) => {
      const { tools } = await agents.setup(id, {}, []);
      return tools.find(({ name }) => name === "exec")?.description;
    }),
  );
  expect(descriptions).toEqual([
    expect.stringMatching(
      /It runs in a sandbox: it can change files of the workspace only, and has no network\.$/,
    ),
    expect.stringMatching(/It is not confined to the workspace\.$/),
  ]);
});

test("an agent asks with its own thinking, longest answer and output, or leaves them to the model", async () => {
  const home = temporaryFolder();
  const config = { agents: { writer: { thinking: "low", maxTokens: 50_000, output: "json" } } } as const;
  const agents = agentsOf(config, home, connector(config));
  expect((await agents.setup("writer", {}, [])).call).toEqual({
    thinking: "low",
    maxTokens: 50_000,
    output: "json",
  });
  expect((await agents.setup("main", {}, [])).call).toEqual({});
});
