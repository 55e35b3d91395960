import { MAIN } from "../../runtime/agents.js";
import { mayUse } from "../auth/permit.js";
import { nameOf } from "../session-name.js";
import type { Methods } from "./context.js";

export const runMethods: Methods<"runs"> = {
  async "runs.list"(_, { gateway: { runtime }, feeds, permit }) {
    const running = runtime.running().filter(({ session }) => mayUse(permit, session.header.agent));
    return {
      runs: running.map((conversation) => ({
        sessionKey: nameOf(conversation),
        id: conversation.session.id,
        agent: conversation.session.header.agent ?? MAIN,
        runId: conversation.runId,
        tools: [...conversation.live.tools.values()].map(({ toolName }) => toolName),
        watchers: feeds.subscribersOf(conversation),
      })),
    };
  },
};
