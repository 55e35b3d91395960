import type { Dialect } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { check } from "./check.js";
import { decode } from "./decode.js";
import { advise, detect } from "./detect.js";
import { encode } from "./encode.js";
import { mend } from "./mend.js";

export type {
  AssistantMessage,
  Block,
  ConversationMessage,
  ImageUrlBlock,
  ResultBlock,
  ToolResultMessage,
  UserMessage,
} from "./wire.js";

/** The messages of clawtools, as a program passes them to a connector: one JSON array. */
export const clawtools: Dialect = {
  name: "clawtools",
  title: "clawtools message array",
  kind: "transcript",
  framing: {
    kind: "document",
    split,
    join: (records) => records,
    pointer: (index) => `/${index}`,
  },
  branches: false,
  limits: [
    { at: "", role: "system", why: "clawtools takes the system prompt beside the messages, not among them" },
    { at: "", role: "session", why: "clawtools messages do not say which session they belong to" },
    { at: "/timestamp", why: "clawtools messages carry no time" },
    { at: "/usage", why: "clawtools messages carry no token counts and no costs" },
    { at: "/api", why: "clawtools messages do not say how they were made" },
    { at: "/provider", why: "clawtools messages do not say how they were made" },
    { at: "/model", why: "clawtools messages do not say how they were made" },
    { at: "/stopReason", why: "clawtools messages do not say why the model stopped" },
    { at: "/errorMessage", why: "clawtools messages do not say why the model stopped" },
    { at: "/id", why: "clawtools messages have no ids; their order is their place" },
    { at: "/parentId", why: "clawtools messages have no ids; their order is their place" },
    { at: "/sender", why: "clawtools messages do not say who sent them" },
    { at: "/ext", why: "clawtools messages have no field for it" },
    { at: "/content/*/ext", why: "clawtools blocks have no field for it" },
    {
      at: "/content",
      role: "toolResult",
      why: "a clawtools tool result holds plain text and images as data, nothing else",
    },
    { at: "/content/*/mimeType", why: "a clawtools image by URL is the URL alone" },
    {
      at: "/content/*/detail",
      role: "toolResult",
      why: "a clawtools tool result holds images as data alone",
    },
    { at: "/content/*/name", why: "a clawtools image is its URL alone" },
    { at: "/content", why: "clawtools has no such block" },
  ],
  detect,
  advise,
  check,
  mend,
  joins: () => false,
  joinsMessage: () => false,
  decode,
  encode,
};

function split(document: unknown): unknown[] {
  if (!Array.isArray(document)) {
    const isWrapped = isObject(document) && Array.isArray(document["messages"]);
    throw new DragomanError("model/invalid", "expected an array of messages", {
      at: "",
      hint: isWrapped ? "give the array under messages alone" : "put the messages into [ ]",
    });
  }
  return document;
}
