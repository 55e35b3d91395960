import { defined } from "../../core/json/defined.js";
import { MAIN } from "../../runtime/agents.js";
import type { Conversation } from "../../runtime/conversation.js";
import { type WaitingQuestion, waitingQuestions } from "../../runtime/waiting-questions.js";
import { mayUse } from "../auth/permit.js";
import { conversationNamed, nameOf } from "../session-name.js";
import type { Methods } from "./context.js";

export const permissionMethods: Methods<"permission"> = {
  async "permission.list"({ sessionKey }, { gateway: { runtime }, permit }) {
    const found =
      sessionKey === undefined
        ? await waitingQuestions(runtime)
        : await questionsOf(await conversationNamed(runtime, sessionKey, permit));
    const permissions = found
      .filter(({ conversation: { session } }) => mayUse(permit, session.header.agent))
      .map(async ({ conversation, request }) => {
        const { id, header } = conversation.session;
        const title = (await runtime.catalogue.get(id))?.title;
        return {
          sessionKey: nameOf(conversation),
          id,
          agent: header.agent ?? MAIN,
          ...defined({ title }),
          request,
        };
      });
    return { permissions: await Promise.all(permissions) };
  },

  async "permission.answer"({ sessionKey, id, answer, content }, { gateway, permit }) {
    const { permissions } = await conversationNamed(gateway.runtime, sessionKey, permit);
    const given = { by: permit.token, ...(content === undefined ? {} : { values: content }) };
    return { answered: await permissions.answer(id, answer, given) };
  },
};

async function questionsOf(conversation: Conversation): Promise<WaitingQuestion[]> {
  return (await conversation.permissions.pending()).map((request) => ({ conversation, request }));
}
