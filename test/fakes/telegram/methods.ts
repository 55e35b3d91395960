import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import type { TelegramText } from "../telegram-html.js";
import { buttonsOf, type CallbackQueries } from "./buttons.js";
import type { Chats, Seen } from "./chats.js";
import type { Files } from "./files.js";
import type { Parameters } from "./parameters.js";
import { Refused, refuseIf } from "./refusal.js";
import { captionText, messageText } from "./texts.js";
import type { Updates } from "./updates.js";
import type { Webhook } from "./webhook.js";

export interface World {
  bot: { id: number; is_bot: true; first_name: string; username: string };
  chats: Chats;
  files: Files;
  updates: Updates;
  webhook: Webhook;
  queries: CallbackQueries;
}

export interface Method {
  /** More than these is refused, though the service would ignore it: it is a mistake. */
  takes: readonly string[];
  call(world: World, parameters: Parameters, gone: AbortSignal): unknown;
}

const sending = ["chat_id", "message_thread_id", "reply_parameters", "parse_mode"];

export const methods: Readonly<Record<string, Method>> = {
  getMe: { takes: [], call: ({ bot }) => bot },
  getUpdates: { takes: ["offset", "limit", "timeout", "allowed_updates"], call: getUpdates },
  setWebhook: {
    takes: ["url", "secret_token", "allowed_updates", "max_connections", "drop_pending_updates"],
    call: ({ webhook, updates }, { fields }) => {
      updates.allowed = fields["allowed_updates"];
      webhook.set(String(fields["url"]), fields["secret_token"]);
      return true;
    },
  },
  deleteWebhook: {
    takes: ["drop_pending_updates"],
    call: ({ webhook }) => {
      webhook.remove();
      return true;
    },
  },
  sendMessage: { takes: [...sending, "text", "link_preview_options", "reply_markup"], call: sendMessage },
  answerCallbackQuery: {
    takes: ["callback_query_id", "text"],
    call: ({ queries }, { fields }) => queries.answer(fields),
  },
  editMessageText: {
    takes: ["chat_id", "message_id", "text", "parse_mode", "link_preview_options", "reply_markup"],
    call: editMessageText,
  },
  sendChatAction: { takes: ["chat_id", "message_thread_id", "action"], call: sendChatAction },
  getFile: { takes: ["file_id"], call: ({ files }, { fields }) => files.describe(fields["file_id"]) },
  sendPhoto: sendFile("photo"),
  sendAnimation: sendFile("animation"),
  sendVideo: sendFile("video"),
  sendAudio: sendFile("audio"),
  sendVoice: sendFile("voice"),
  sendDocument: sendFile("document"),
  sendMediaGroup: {
    takes: ["chat_id", "message_thread_id", "reply_parameters", "media"],
    call: sendMediaGroup,
  },
};

function getUpdates({ updates, webhook }: World, { fields }: Parameters, gone: AbortSignal) {
  const why =
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
  refuseIf(webhook.url !== "", `Conflict: ${why}`, 409);
  updates.allowed = fields["allowed_updates"];
  const { offset = 0, limit = 100, timeout = 0 } = fields;
  return updates.ask(Number(offset), Number(limit), Number(timeout), gone);
}

function sendMessage(world: World, { fields }: Parameters): object {
  const preview = fields["link_preview_options"];
  const hasPreview = !(isObject(preview) && preview["is_disabled"] === true);
  const buttons = buttonsOf(fields["reply_markup"]);
  return sent(world, fields, messageText(fields), { hasPreview, ...(buttons && { buttons }) });
}

function sent({ chats, bot }: World, fields: JsonObject, text: TelegramText, more: Partial<Seen>): object {
  const thread = fields["message_thread_id"];
  const chat = chats.target(fields["chat_id"], thread);
  const reply = replyOf(chats, chat.id, fields["reply_parameters"]);
  const topic = thread === undefined ? {} : { thread: Number(thread) };
  chats.count(chat);
  const { id } = chats.show(chat.id, { by: "bot", ...text, ...topic, ...reply, ...more });
  const { topics: _, ...shown } = chat;
  return { message_id: id, from: bot, chat: shown, date: 1_700_000_000, text: text.text };
}

function replyOf(chats: Chats, chat: number, reply: unknown): { replyTo?: number } {
  if (!isObject(reply)) return {};
  const earlier = chats.find(chat, reply["message_id"]);
  if (earlier !== undefined) return { replyTo: earlier.id };
  refuseIf(reply["allow_sending_without_reply"] !== true, "Bad Request: message to be replied not found");
  return {};
}

function editMessageText({ chats }: World, { fields }: Parameters): object {
  const chat = chats.target(fields["chat_id"]);
  const message = chats.find(chat.id, fields["message_id"]);
  if (message === undefined) throw new Refused("Bad Request: message to edit not found");
  refuseIf(message.by !== "bot", "Bad Request: message can't be edited");
  refuseIf(message.file !== undefined, "Bad Request: there is no text in the message to edit");
  const { text, entities } = messageText(fields);
  const buttons = buttonsOf(fields["reply_markup"]);
  const isSame =
    message.text === text &&
    JSON.stringify(message.entities) === JSON.stringify(entities) &&
    JSON.stringify(message.buttons) === JSON.stringify(buttons);
  const why = "specified new message content and reply markup are exactly the same as a current content";
  refuseIf(isSame, `Bad Request: message is not modified: ${why} and reply markup of the message`);
  chats.count(chat);
  message.before.push(message.text);
  Object.assign(message, { text, entities, buttons });
  chats.changed();
  return { message_id: message.id };
}

function sendChatAction({ chats }: World, { fields }: Parameters): true {
  refuseIf(fields["action"] !== "typing", "Bad Request: wrong parameter action in request");
  // Of all methods this one knows the general topic by its number.
  const thread = fields["message_thread_id"];
  chats.target(fields["chat_id"], thread === 1 ? undefined : thread);
  return true;
}

function sendFile(kind: string): Method {
  return {
    takes: [...sending, "caption", kind],
    call: (world, parameters) => {
      const text = captionText(parameters.fields);
      return sent(world, parameters.fields, text, { file: fileOf(kind, parameters) });
    },
  };
}

const albumFields = ["type", "media", "caption", "parse_mode"];

/** 2 to 10 photos and videos, or documents, or audio files. All of them are sent, or none. */
function sendMediaGroup(world: World, { fields, files }: Parameters): object[] {
  const items = Array.isArray(fields["media"]) ? fields["media"].filter(isObject) : [];
  refuseIf(items.length < 2, "Bad Request: media group must have at least 2 items");
  refuseIf(items.length > 10, "Bad Request: too many messages to send as an album");
  const album = `album ${world.chats.newId()}`;
  const parts = items.map((item) => {
    const unknown = Object.keys(item).find((name) => !albumFields.includes(name));
    refuseIf(unknown !== undefined, `Bad Request: InputMedia has no field ${unknown}`);
    const kind = String(item["type"]);
    refuseIf(
      !["photo", "video", "document", "audio"].includes(kind),
      `Bad Request: type "${kind}" can't be used in sendMediaGroup`,
    );
    return {
      text: captionText(item),
      more: { album, file: fileOf(kind, { fields: { [kind]: item["media"] }, files }) },
    };
  });
  const kinds = new Set(parts.map(({ more }) => more.file.kind));
  for (const kind of ["document", "audio"]) {
    refuseIf(kinds.has(kind) && kinds.size > 1, `Bad Request: ${kind} can't be mixed with other media types`);
  }
  return parts.map(({ text, more }) => sent(world, fields, text, more));
}

/** `attach://NAME` is a file of the form; an address is fetched by the service, if it finds something there. */
function fileOf(kind: string, { fields, files }: Parameters): NonNullable<Seen["file"]> {
  const source = fields[kind];
  if (typeof source !== "string") throw new Refused(`Bad Request: there is no ${kind} in the request`);
  if (/^https?:/.test(source)) {
    refuseIf(!source.includes("example.com/"), "Bad Request: failed to get HTTP URL content");
    return { kind, name: source };
  }
  const file = files.get(source.replace("attach://", ""));
  if (file === undefined) throw new Refused("Bad Request: wrong file identifier/HTTP URL specified");
  refuseIf(file.bytes.length === 0, "Bad Request: file must be non-empty");
  const isPicture = /^(\xff\xd8\xff|\x89PNG|RIFF)/.test(file.bytes.subarray(0, 4).toString("latin1"));
  refuseIf(kind === "photo" && !isPicture, "Bad Request: IMAGE_PROCESS_FAILED");
  refuseIf(kind === "photo" && file.bytes.length > 10_000_000, "Bad Request: PHOTO_SAVE_FILE_INVALID");
  return { kind, name: file.name, bytes: file.bytes.length };
}
