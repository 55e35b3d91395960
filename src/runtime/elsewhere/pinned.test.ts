import { expect, test } from "vitest";
import { agentsOf } from "../agents.js";
import { pinnedElsewhere } from "./pinned.js";

const agents = agentsOf({ agents: { build: { gateway: "http://b:1/" } } }, "/home", () =>
  expect.fail("no model is needed"),
);
const owners = (me: string) => ({ me, ownerOf: async () => undefined });

test("an agent with a gateway runs only there, and the others pass its messages on", () => {
  expect(pinnedElsewhere("build", { agents, owners: owners("http://b:1") })).toBeUndefined();
  expect(pinnedElsewhere("build", { agents, owners: owners("http://a:1") })).toBe("http://b:1");
  expect(pinnedElsewhere("main", { agents, owners: owners("http://a:1") })).toBeUndefined();
  expect(pinnedElsewhere("removed", { agents, owners: undefined })).toBeUndefined();
});

test("a process without links refuses it, with what to do", () => {
  expect(() => pinnedElsewhere("build", { agents, owners: undefined })).toThrow(
    expect.objectContaining({
      code: "config/invalid",
      message: "the agent build runs only on the gateway at http://b:1",
      hint: "use that gateway, or another one of the same store that was started with --advertise",
    }),
  );
});
