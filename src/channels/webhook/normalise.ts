import { misfit, native } from "../checks.js";
import { messageIn, type Normalised } from "../normalised.js";
import { placeOf } from "../place.js";
import type { Attachment, Inbound } from "../types.js";
import type { WebhookInput } from "./wire.js";

/** A posted message; undefined for what is none. */
export function normalise(value: unknown): Inbound | undefined {
  return messageIn(readMessage(value));
}

/** The same, with the reason why it is not a message. */
export function readMessage(value: unknown): Normalised {
  if (native.is("WebhookInput", value)) return inboundOf(value);
  return { why: `it is not a message of the webhook channel (${misfit("WebhookInput", value)})` };
}

function inboundOf(input: WebhookInput): Inbound {
  // Files are fetched apart, and must not be in the message a second time.
  const { Attachments: _, MediaUrl: __, ...message } = input;
  const { From, ChatType, MessageId, Addressed, SenderName } = message;
  return {
    message,
    id: MessageId,
    place: placeOf(message),
    sender: { id: From, ...(SenderName === undefined ? {} : { name: SenderName }) },
    attachments: attachmentsOf(input),
    addressed: ChatType === "direct" || Addressed === true,
  };
}

type Files = NonNullable<WebhookInput["Attachments"]>;

function attachmentsOf({ Attachments = [], MediaUrl, MediaType = "document" }: WebhookInput): Attachment[] {
  const first: Files = MediaUrl === undefined ? [] : [{ Url: MediaUrl, Kind: MediaType }];
  return [...first, ...Attachments].map(({ Url, Kind = "document", MimeType, Name }) => ({
    kind: Kind,
    handle: Url,
    ...(MimeType === undefined ? {} : { mimeType: MimeType }),
    ...(Name === undefined ? {} : { name: Name }),
  }));
}
