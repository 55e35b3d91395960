import { defined } from "../../core/json/defined.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import { peerOf } from "../../log/key.js";
import type { Runtime } from "../../runtime/runtime.js";

/** What is known about the runs of a session. */
export interface Activity {
  isRunning: boolean;
  /** Undefined if its name is not known here. */
  runId: string | undefined;
}

/** A session as the protocol lists it. */
export function sessionRow(summary: SessionSummary, { isRunning, runId }: Activity, now: number): object {
  const { id, key, agent, title, created, active, usage, archived, parent, models } = summary;
  const [modelProvider, model] = splitModel(models.at(-1));
  const isMain = key === mainKeyOf(agent);
  return {
    key: key ?? id,
    sessionId: id,
    agentId: agent,
    kind: "direct",
    classification: isMain ? "main" : "custom",
    isMain,
    isBackground: parent !== undefined,
    chatType: peerOf(key ?? "agent:main:main")?.kind === "group" ? "group" : "direct",
    visibility: "shared",
    ...defined({ displayName: title, derivedTitle: title, createdAt: created, modelProvider, model }),
    updatedAt: active ?? created ?? null,
    ...defined({ lastInteractionAt: active, lastActivityAt: active }),
    archived,
    pinned: false,
    unread: false,
    inputTokens: usage.input + usage.cacheRead + usage.cacheWrite,
    outputTokens: usage.output,
    totalTokens: usage.totalTokens,
    totalTokensFresh: false,
    estimatedCostUsd: usage.cost.total,
    status: isRunning ? "running" : "done",
    ...activityFields({ isRunning, runId }),
    snapshotAt: now,
  };
}

/** The row of a session that does not exist yet, or is not indexed. */
export function emptyRow(
  key: string,
  agentId: string,
  now: number,
  activity: Activity = { isRunning: false, runId: undefined },
): object {
  return {
    key,
    agentId,
    kind: "direct",
    classification: key === mainKeyOf(agentId) ? "main" : "custom",
    isMain: key === mainKeyOf(agentId),
    isBackground: false,
    updatedAt: null,
    archived: false,
    pinned: false,
    unread: false,
    totalTokensFresh: false,
    ...(activity.isRunning ? { status: "running" } : {}),
    ...activityFields(activity),
    snapshotAt: now,
  };
}

export function mainKeyOf(agent: string): string {
  return `agent:${agent}:main`;
}

/** The model that an agent's sessions begin with. */
export function modelDefaults(
  { agents, connect }: Pick<Runtime, "agents" | "connect">,
  agent: string,
): object {
  const name = agents.modelOf(agent);
  const [modelProvider, model] = splitModel(name);
  const { contextWindow: contextTokens } = connect(name).card;
  return defined({ modelProvider, model, contextTokens });
}

/** `provider/model` in its two parts. */
export function splitModel(name: string | undefined): [string | undefined, string | undefined] {
  if (name === undefined) return [undefined, undefined];
  const at = name.indexOf("/");
  return at < 0 ? [undefined, name] : [name.slice(0, at), name.slice(at + 1)];
}

/** `activeRunIds` is complete where it is present. */
function activityFields({ isRunning, runId }: Activity): object {
  if (!isRunning) return { hasActiveRun: false, activeRunIds: [] };
  return { hasActiveRun: true, ...(runId === undefined ? {} : { activeRunIds: [runId] }) };
}
