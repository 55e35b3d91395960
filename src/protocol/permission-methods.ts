import * as Type from "@sinclair/typebox";
import { ref } from "../core/schema/build.js";
import { formContent, permissionAnswer, RpcPermissionRequest, strict, text } from "./shared.js";

const optionalText = Type.Optional(text);

export const permissionMethods = {
  "permission.list": {
    /** Those of one session, or of all that the token may use. */
    params: strict({ sessionKey: optionalText }),
    /** The requests that wait for an answer, oldest first. */
    result: Type.Object({
      permissions: Type.Array(
        Type.Object({
          sessionKey: text,
          /** The session's id, agent and title. */
          id: text,
          agent: text,
          title: optionalText,
          request: ref(RpcPermissionRequest),
        }),
      ),
    }),
  },
  "permission.answer": {
    /** `content` has the values of a question's form, if it is accepted. */
    params: strict({
      sessionKey: text,
      id: text,
      answer: permissionAnswer,
      content: Type.Optional(formContent),
    }),
    /** False if another client answered first, or the request has expired or was withdrawn. */
    result: Type.Object({ answered: Type.Boolean() }),
  },
};
