import { differingSections } from "../../gateway/links/config-digest.js";
import { type Member, Members } from "../../gateway/links/members.js";
import type { Store } from "../../log/store.js";
import type { Runtime } from "../../runtime/runtime.js";
import { type Finding, failed, ok, warning } from "./finding.js";

type Agents = Runtime["agents"];

/** The gateways that share the store and know each other: whether they have the same configuration, and run all agents. */
export async function checkGateways(
  store: Pick<Store, "cell" | "holders">,
  agents: Pick<Agents, "ids" | "gatewayOf">,
): Promise<Finding[]> {
  if (store.holders === undefined) return [];
  try {
    const members = await new Members(store, store.holders).living();
    return [...compareGateways(members), ...checkPinned(members, agents)];
  } catch (error) {
    return [failed("gateways", error, "restart the gateways")];
  }
}

/** Each gateway is compared with the first. One alone has nothing to differ from. */
export function compareGateways(members: readonly Member[]): Finding[] {
  const [first, ...others] = [...members].sort((one, other) => (one.url < other.url ? -1 : 1));
  if (first === undefined || others.length === 0) return [];
  const differences = others.flatMap((other) => {
    const sections = differingSections(first, other);
    if (sections.length === 0) return [];
    return warning(
      "gateways",
      `${first.url} and ${other.url} share this store, and their configurations differ in ${sections.join(", ")}: answers depend on which of them runs a session`,
      "give every gateway the same config.json and the same options",
    );
  });
  if (differences.length > 0) return differences;
  const urls = [first, ...others].map(({ url }) => url).join(", ");
  return [ok("gateways", `${members.length} share this store, with the same configuration: ${urls}`)];
}

/** Agents that run only on a gateway that is not there: their messages wait for it. */
export function checkPinned(
  members: readonly Pick<Member, "url">[],
  agents: Pick<Agents, "ids" | "gatewayOf">,
): Finding[] {
  const urls = new Set(members.map(({ url }) => url));
  return agents.ids.flatMap((id) => {
    const gateway = agents.gatewayOf(id);
    if (gateway === undefined || urls.has(gateway)) return [];
    return warning(
      "gateways",
      `the agent ${id} runs only on ${gateway}, and no gateway of this store advertises that URL: its messages wait`,
      `start that gateway with --advertise ${gateway}, or change "gateway" of the agent`,
    );
  });
}

const FILE_TOOLS: ReadonlySet<string> = new Set(["read", "write", "edit", "exec"]);

/** What agents that use files need, because any gateway of a shared store can run their sessions. */
export async function checkWorkspaces({
  agents,
}: {
  agents: Pick<Agents, "ids" | "isProgram" | "toolsOf" | "workspaceOf" | "gatewayOf">;
}): Promise<Finding[]> {
  const using: string[] = [];
  for (const id of agents.ids) {
    const usesFiles = agents.isProgram(id) || (await agents.toolsOf(id)).some((name) => FILE_TOOLS.has(name));
    if (usesFiles && agents.gatewayOf(id) === undefined) using.push(`${id} (${agents.workspaceOf(id)})`);
  }
  if (using.length === 0) return [];
  return [
    warning(
      "workspaces",
      `the store can be shared, but these agents' files are on this computer: ${using.join(", ")}`,
      'if several gateways use the store, mount each workspace from a shared volume at the same path on all of them, or set "gateway" of these agents to the URL of the gateway that has their files',
    ),
  ];
}
