import type { SessionSummary } from "../../log/catalogue/types.js";
import { ownName } from "../../mcp/own-name.js";
import type { McpService, ServedTool } from "../../mcp/server/served-tool.js";
import { ReadableSessions } from "../../runtime/sources/readable-sessions.js";
import { sourcesOf } from "../../runtime/sources/sources.js";
import { agentFilter, mayUse, usableAgents } from "../auth/permit.js";
import { includesScope } from "../auth/scope.js";
import type { Caller, Gateway } from "../types.js";
import { answerQuestion } from "./answer-question.js";
import { explainToClient } from "./explain.js";
import { askAgent } from "./tools/ask-agent.js";
import { INSTRUCTIONS, readingTools } from "./tools/reading-tools.js";

const info = ownName();

/** What a token may use of the gateway. Only the owner of the computer sees the sessions of other programs. */
export function serviceFor(gateway: Gateway, caller: Caller): McpService {
  const { runtime, logger } = gateway;
  const sessions = new ReadableSessions({
    log: runtime.log,
    catalogue: runtime.catalogue,
    sources: async () =>
      caller.agents === undefined && includesScope(caller.scope, "admin")
        ? sourcesOf(runtime.config, process.env, (text) => logger.warn({}, text))
        : [],
    filter: agentFilter(caller),
    mayRead: ({ agent }: SessionSummary) => mayUse(caller, agent),
  });
  return {
    info,
    instructions: INSTRUCTIONS,
    tools: [...readingTools(sessions, runtime.catalogue), ...chatTools(gateway, caller)],
    explain: (error) => {
      const text = explainToClient(error);
      if (text !== undefined) return text;
      logger.error({ err: error }, "an MCP request failed");
      return "something went wrong; the gateway's log has the details";
    },
  };
}

function chatTools(gateway: Gateway, caller: Caller): ServedTool[] {
  const { agents } = gateway.runtime;
  if (!includesScope(caller.scope, "chat")) return [];
  const usable = usableAgents(caller, agents.ids).map((id) => ({
    id,
    description: agents.descriptionOf(id),
  }));
  return [askAgent(usable, (question, run) => answerQuestion(gateway, caller, question, run))];
}
