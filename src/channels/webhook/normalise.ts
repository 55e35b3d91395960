import { defined } from "../../core/json/defined.js";
import { chatOf } from "../chat.js";
import { nativeChecks } from "../native-checks.js";
import type { Attachment, Inbound, Normalised } from "../types.js";
import * as generated from "./generated/validators.js";
import type { WebhookInput } from "./wire.js";

const checkNative = nativeChecks(generated);

/** Reads a message posted to the webhook channel. */
export function normaliseWebhook(native: unknown): Normalised {
  const input = checkNative("WebhookInput", native);
  if ("value" in input) return inboundOf(input.value);
  return { why: `it is not a webhook channel message (${input.misfit})` };
}

export function inboundOf(input: WebhookInput): Inbound {
  // Files are downloaded separately and must not be in the message as well.
  const { Attachments: _, MediaUrl: __, ...message } = input;
  const { From, ChatType, MessageId, Addressed, SenderName } = message;
  return {
    message,
    id: MessageId,
    place: chatOf(message),
    sender: defined({ id: From, name: SenderName }),
    attachments: attachmentsOf(input),
    addressed: ChatType === "direct" || Addressed === true,
  };
}

type Files = NonNullable<WebhookInput["Attachments"]>;

function attachmentsOf({ Attachments = [], MediaUrl, MediaType = "document" }: WebhookInput): Attachment[] {
  const first: Files = MediaUrl === undefined ? [] : [{ Url: MediaUrl, Kind: MediaType }];
  return [...first, ...Attachments].map(({ Url: handle, Kind: kind = "document", MimeType, Name }) =>
    defined({ kind, handle, mimeType: MimeType, name: Name }),
  );
}
