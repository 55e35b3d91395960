import { isObject } from "../../core/json/value.js";
import type { AssistantContent, UserContent } from "../../core/types.js";
import type { AcpContentBlock, AcpResource } from "../wire.js";

/** The name under which `ext` keeps what our blocks lack. */
const NAME = "acp";

/** A client's block as one of ours. A link or a file becomes text that every model understands; `ext` keeps its address. */
export function contentOf(block: AcpContentBlock): UserContent {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case "resource_link": {
      const { uri, name, mimeType } = block;
      const text = `[${name}](${uri})`;
      return { type: "text", text, ext: { [NAME]: { uri, name, ...mime(mimeType) } } };
    }
    case "resource":
      return resourceContent(block.resource);
  }
}

function resourceContent({ uri, text, blob, mimeType }: AcpResource): UserContent {
  if (text === undefined) {
    return { type: "file", data: blob ?? "", mimeType: mimeType ?? "application/octet-stream", name: uri };
  }
  return { type: "text", text: framed(uri, text), ext: { [NAME]: { uri, ...mime(mimeType) } } };
}

function framed(uri: string, text: string): string {
  return `<context ref="${uri}">\n${text}\n</context>`;
}

function mime(mimeType: string | null | undefined): { mimeType?: string } {
  return typeof mimeType === "string" ? { mimeType } : {};
}

/** One of our blocks as a client shows it. The inverse of `contentOf`; thinking and tool calls are not blocks there. */
export function blockOf(content: UserContent | AssistantContent): AcpContentBlock | undefined {
  switch (content.type) {
    case "text":
      return restored(content) ?? { type: "text", text: content.text };
    case "image":
    case "audio":
      if (content.data === undefined) return linkTo(content.url, content.name, content.mimeType);
      return { type: content.type, data: content.data, mimeType: content.mimeType };
    case "file": {
      const { data, name = "file", mimeType } = content;
      if (data === undefined) return linkTo(content.url, name, mimeType);
      return { type: "resource", resource: { uri: name, blob: data, ...mime(mimeType) } };
    }
    case "opaque":
      return { type: "text", text: `[a block that only ${content.dialect} can show]` };
    case "thinking":
    case "toolCall":
      return undefined;
  }
}

/** The link or file that a client sent; undefined for other text. */
function restored({
  text,
  ext,
}: {
  text: string;
  ext?: Record<string, unknown>;
}): AcpContentBlock | undefined {
  const notes = ext?.[NAME];
  if (!isObject(notes) || typeof notes["uri"] !== "string") return undefined;
  const { uri, name, mimeType } = notes;
  const type = mime(typeof mimeType === "string" ? mimeType : undefined);
  if (typeof name === "string") return { type: "resource_link", uri, name, ...type };
  const [before = "", after = ""] = framed(uri, "\0").split("\0");
  const isFramed = text.startsWith(before) && text.endsWith(after);
  if (!isFramed) return undefined;
  const inner = text.slice(before.length, text.length - after.length);
  return { type: "resource", resource: { uri, text: inner, ...type } };
}

function linkTo(uri: string, name = uri, mimeType?: string): AcpContentBlock {
  return { type: "resource_link", uri, name, ...mime(mimeType) };
}
