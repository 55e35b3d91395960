/** A message of a session. */
export interface Place {
  session: string;
  message: string;
}

const RESPONSE = /^resp_([0-7][0-9A-HJKMNP-TV-Z]{25})([0-7][0-9A-HJKMNP-TV-Z]{25})$/;
const CONVERSATION = /^conv_([0-7][0-9A-HJKMNP-TV-Z]{25})$/;
const ITEM = /^[a-z]+_([0-7][0-9A-HJKMNP-TV-Z]{25})([0-7][0-9A-HJKMNP-TV-Z]{25})(?:_\d+)?$/;

/** The id of a stored answer, as `AssistantMessage.id`. A response's id is `resp_` and this. */
export function answerId({ session, message }: Place): string {
  return `${session}${message}`;
}

export function responseId(place: Place): string {
  return `resp_${answerId(place)}`;
}

export function conversationId(session: string): string {
  return `conv_${session}`;
}

/** The message that a response's id contains; undefined for an id that this gateway did not make. */
export function placeOfResponse(id: string): Place | undefined {
  return placeIn(RESPONSE.exec(id));
}

/** The session that a conversation's id contains; undefined for an id that this gateway did not make. */
export function sessionOfConversation(id: string): string | undefined {
  return CONVERSATION.exec(id)?.[1];
}

/** The message that an item's id contains; undefined for an id that this gateway did not make. */
export function placeOfItem(id: string): Place | undefined {
  return placeIn(ITEM.exec(id));
}

function placeIn(match: RegExpExecArray | null): Place | undefined {
  const [, session, message] = match ?? [];
  return session === undefined || message === undefined ? undefined : { session, message };
}
