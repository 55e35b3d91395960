import { isObject } from "../../core/json/value.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import { MAIN } from "../../runtime/agents.js";
import { type WaitingQuestion, waitingQuestions } from "../../runtime/waiting-questions.js";
import { mayUse } from "../auth/permit.js";
import { isApprovable } from "../front-ends/approvable.js";
import { refuse } from "../refusals.js";
import { nameOf } from "../session-name.js";
import type { Gateway, Permit } from "../types.js";
import type { RunPlace } from "./run-events.js";

/** A permission request as the protocol writes it. */
export interface Approval {
  id: string;
  request: object;
  createdAtMs: number;
  expiresAtMs: number;
}

const ALLOWED = ["allow-once", "deny"];

/** The tool and what it is called with: a command as it is, and the arguments of any other tool. */
function commandOf({ toolCall, subject }: PermissionRequest): string {
  const { command } = isObject(toolCall.arguments) ? toolCall.arguments : {};
  if (typeof command === "string") return command;
  return `${toolCall.name} ${subject ?? JSON.stringify(toolCall.arguments)}`;
}

export function approvalOf(request: PermissionRequest, place: RunPlace, runId: string | undefined): Approval {
  const { sessionKey, sessionId, agentId } = place;
  return {
    id: request.id,
    request: {
      command: commandOf(request),
      cwd: null,
      host: "gateway",
      security: "allowlist",
      ask: "always",
      // A permission of ours lasts for a session at most, so that none is given for ever.
      unavailableDecisions: ["allow-always"],
      allowedDecisions: ALLOWED,
      agentId,
      sessionKey,
      sessionId,
      runId: runId ?? null,
      toolCallId: request.toolCall.id,
    },
    createdAtMs: request.asked,
    expiresAtMs: request.expires,
  };
}

/** The details of one request, for `exec.approval.get`. */
export function approvalDetails({ request, conversation }: WaitingQuestion): object {
  return {
    id: request.id,
    commandText: commandOf(request),
    commandPreview: null,
    allowedDecisions: ALLOWED,
    host: "gateway",
    nodeId: null,
    agentId: conversation.session.header.agent ?? MAIN,
    expiresAtMs: request.expires,
  };
}

/** The requests that a client can answer with yes or no. */
export async function answerableRequests(
  { runtime }: Pick<Gateway, "runtime">,
  permit: Permit,
): Promise<WaitingQuestion[]> {
  return (await waitingQuestions(runtime)).filter(
    ({ conversation, request }) => mayUse(permit, conversation.session.header.agent) && isApprovable(request),
  );
}

export async function requestNamed(
  gateway: Pick<Gateway, "runtime">,
  permit: Permit,
  id: unknown,
): Promise<WaitingQuestion> {
  const found = (await answerableRequests(gateway, permit)).find(({ request }) => request.id === id);
  if (found !== undefined) return found;
  throw refuse("invalid_request", "unknown or expired approval id", {
    details: { reason: "APPROVAL_NOT_FOUND" },
  });
}

export function placeOf({ conversation }: WaitingQuestion): RunPlace {
  const { id, header } = conversation.session;
  return { sessionKey: nameOf(conversation), sessionId: id, agentId: header.agent ?? MAIN };
}
