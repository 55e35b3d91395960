import { makeFolder } from "../../log/files/folder.js";
import type { Runtime } from "../../runtime/runtime.js";
import { sandboxProblem } from "../../tools/sandbox.js";
import { type Finding, failed, ok } from "./finding.js";

/** For each agent that can run commands: whether it uses a sandbox, and whether that works here. */
export async function checkSandboxes({ agents }: Runtime): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const id of agents.ids) {
    if ((await agents.toolsOf(id)).includes("exec")) findings.push(await checkSandbox(id, agents));
  }
  return findings;
}

async function checkSandbox(id: string, agents: Runtime["agents"]): Promise<Finding> {
  const sandbox = agents.sandboxOf(id);
  if (sandbox === undefined) return ok("sandbox", `agent "${id}" runs commands without a sandbox`);
  const workspace = agents.workspaceOf(id);
  await makeFolder(workspace);
  const problem = await sandboxProblem(workspace, sandbox);
  if (problem !== undefined) return failed("sandbox", problem, "remove the agent's `sandbox` setting");
  const network = sandbox.network === true ? "with" : "without";
  return ok("sandbox", `agent "${id}" runs commands in a sandbox ${network} network`);
}
