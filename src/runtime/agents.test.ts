import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.js";
import { agentsOf } from "./agents.js";
import { connector } from "./models.js";

test("an agent asks with its own thinking and longest answer, or leaves both to the model", async () => {
  const home = temporaryFolder();
  const config = { agents: { writer: { thinking: "low", maxTokens: 50_000 } } } as const;
  const agents = agentsOf(config, home, connector(config));
  expect((await agents.setup("writer", {}, [])).call).toEqual({ thinking: "low", maxTokens: 50_000 });
  expect((await agents.setup("main", {}, [])).call).toEqual({});
});
