import { notFound, refuse } from "../../refusals.js";
import type { RefusedError } from "../../types.js";

/** The codes of these refusals in OpenAI's errors are in `openai-errors.ts`. */
export const PREVIOUS_NOT_FOUND = "response/previous-not-found";

export function noPreviousResponse(id: string): RefusedError {
  return refuse("invalid_request", `Previous response with id '${id}' not found.`, {
    details: { code: PREVIOUS_NOT_FOUND, at: "/previous_response_id" },
  });
}

export function noResponse(id: string): RefusedError {
  return notFound(`Response with id '${id}' not found.`);
}

export function noConversation(id: string): RefusedError {
  return notFound(`Conversation with id '${id}' not found.`);
}

export function noItem(id: string, conversation: string): RefusedError {
  return notFound(`Item with id '${id}' not found in conversation '${conversation}'.`);
}
