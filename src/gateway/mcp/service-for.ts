import { ownName } from "../../mcp/own-name.js";
import type { McpService, ServedTool } from "../../mcp/server/served-tool.js";
import { usableAgents } from "../auth/permit.js";
import { includesScope } from "../auth/scope.js";
import { readableSessions } from "../readable-sessions.js";
import type { Caller, Gateway } from "../types.js";
import { answerQuestion } from "./answer-question.js";
import { explainToClient } from "./explain.js";
import { askAgent } from "./tools/ask-agent.js";
import { INSTRUCTIONS, readingTools } from "./tools/reading-tools.js";

const info = ownName();

/** What a token may use of the gateway. */
export function serviceFor(gateway: Gateway, caller: Caller): McpService {
  const { runtime, logger } = gateway;
  const sessions = readableSessions(gateway, caller);
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
