import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openClawProtocol } from "../../../src/gateway/openclaw/protocol.js";
import { testGateway } from "../../fakes/gateway.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { OpenClawClient, textIn } from "./openclaw-client.js";

const KEY = "agent:main:main";
const CALL = 'call: exec {"command":"echo x >> b.txt"}\n---\nsay: Done.';

test.each([
  ["allow-once", "x\n"],
  ["deny", undefined],
])("a client that is asked answers %s", async (decision, written) => {
  const workspace = temporaryFolder();
  const gateway = await testGateway([openClawProtocol], {
    config: { agents: { main: { model: "demo/script", workspace } } },
  });
  const sender = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  const owner = await OpenClawClient.connect({ url: gateway.url, token: gateway.admin });
  await sender.send(KEY, CALL, "k1");
  const asked = await owner.until(({ event }) => event === "exec.approval.requested");
  expect(asked.payload).toMatchObject({
    approvalKind: "exec",
    request: {
      command: "echo x >> b.txt",
      sessionKey: KEY,
      runId: "k1",
      allowedDecisions: ["allow-once", "deny"],
    },
  });
  const { id } = asked.payload;
  expect(await owner.request("exec.approval.list")).toEqual([expect.objectContaining({ id })]);
  expect(await owner.request("exec.approval.get", { id })).toMatchObject({
    id,
    commandText: "echo x >> b.txt",
  });
  await expect(owner.request("exec.approval.resolve", { id, decision: "allow-always" })).rejects.toThrow(
    "invalid exec.approval.resolve params: at /decision: must be equal to one of the allowed values",
  );
  expect(await owner.request("exec.approval.resolve", { id, decision })).toEqual({ ok: true });
  const ended = await owner.until(({ event }) => event === "exec.approval.resolved");
  expect(ended.payload).toMatchObject({ id, decision });
  expect(textIn(await sender.ended("k1"))).toBe("Done.");
  const file = join(workspace, "b.txt");
  expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(written);
  expect(sender.events.filter(({ event }) => event.startsWith("exec."))).toEqual([]);
  await expect(owner.request("exec.approval.resolve", { id, decision })).rejects.toMatchObject({
    message: "unknown or expired approval id",
    details: { reason: "APPROVAL_NOT_FOUND" },
  });
});
