import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import type { WireMessage } from "./messages.js";
import { objectIn } from "./wire.js";

type Report = (loss: Loss) => void;

const DESCRIPTION = "(see the document)";

/** The API refuses a message with a document but no text, and two documents with the same name. */
export function fitDocuments(messages: readonly WireMessage[], report: Report): WireMessage[] {
  const names = new Set<string>();
  return messages.map((message) => {
    const content = message.content.map((block) => withUniqueName(block, names, report));
    if (message.role !== "user" || !lacksText(content)) return { ...message, content };
    report({
      at: "/messages",
      what: `the text "${DESCRIPTION}"`,
      why: "this API requires text beside a document",
      severity: "synthesised",
    });
    return { ...message, content: [...content, { text: DESCRIPTION }] };
  });
}

function lacksText(content: readonly JsonObject[]): boolean {
  return content.some((block) => "document" in block) && !content.some((block) => "text" in block);
}

/** Renames documents that have the name of an earlier one. */
function withUniqueName(block: JsonObject, names: Set<string>, report: Report): JsonObject {
  const result = objectIn(block, "toolResult");
  if (Array.isArray(result?.["content"])) {
    const content = result["content"].map((inner: unknown) =>
      isObject(inner) ? withUniqueName(inner, names, report) : inner,
    );
    return { ...block, toolResult: { ...result, content } };
  }
  const document = objectIn(block, "document");
  const name = document?.["name"];
  if (typeof name !== "string") return block;
  let own = name;
  for (let number = 2; names.has(own); number++) own = `${name} (${number})`;
  names.add(own);
  if (own === name) return block;
  const why = "this API requires documents to have different names";
  report({ at: "/messages", what: `the document name "${name}"`, why, severity: "approximated" });
  return { ...block, document: { ...document, name: own } };
}

/** Whether `fitDocuments` would change anything. */
export function areDocumentsUnfit(messages: readonly WireMessage[]): boolean {
  let isUnfit = false;
  fitDocuments(messages, () => {
    isUnfit = true;
  });
  return isUnfit;
}
