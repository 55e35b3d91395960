import type { ToolOutput } from "../../agent/types.js";
import { isBase64, withoutLineBreaks } from "../../core/message/media.js";
import type { UserContent } from "../../core/types.js";
import { OutputWindow } from "../../tools/output-window.js";
import { mcp } from "../checks.js";
import type { McpCallResult, McpContentBlock, McpProgress, McpResourceContents } from "../wire.js";

/** Characters of text in one result. */
const MAX_TEXT = 100_000;

/** For programs: which server answered, and its data. */
export interface McpDetails {
  server: string;
  tool: string;
  /** The server's own name and version. */
  serverVersion?: string;
  structuredContent?: unknown;
}

/** A server's result as the output of our tool. Without content, the model reads the JSON of the structured content. */
export function outputOf(
  { content = [], structuredContent, isError = false }: McpCallResult,
  details: McpDetails,
): ToolOutput<McpDetails> {
  const blocks = content.flatMap(contentOf);
  const fallback = structuredContent === undefined ? "[no output]" : JSON.stringify(structuredContent);
  return {
    content: withinLimit(blocks.length > 0 ? blocks : [{ type: "text", text: fallback }]),
    details: { ...details, ...(structuredContent === undefined ? {} : { structuredContent }) },
    isError,
  };
}

/** A block of a server as blocks of ours. A block that we do not know is shown as JSON. */
export function contentOf(block: unknown): UserContent[] {
  if (!mcp.is("McpContentBlock", block)) return [{ type: "text", text: JSON.stringify(block) }];
  return [blockOf(block)];
}

function blockOf(block: McpContentBlock): UserContent {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return mediaOf(block.type, block.data, block.mimeType);
    case "resource":
      return resourceContent(block.resource);
    case "resource_link": {
      const { name, uri, mimeType, description } = block;
      const more = [mimeType, description].filter((text) => text !== undefined);
      return { type: "text", text: `[resource ${name}: ${[uri, ...more].join(", ")}]` };
    }
  }
}

/** The content of a resource, with its address. */
export function resourceContent({ uri, mimeType, text, blob }: McpResourceContents): UserContent {
  if (blob === undefined) return { type: "text", text: `[resource ${uri}]\n${text ?? ""}` };
  const type = mimeType ?? "application/octet-stream";
  const [kind] = type.split("/");
  return mediaOf(kind === "image" || kind === "audio" ? kind : "file", blob, type, { name: uri });
}

function mediaOf(
  type: "image" | "audio" | "file",
  base64: string,
  mimeType: string,
  more: { name?: string } = {},
): UserContent {
  const data = withoutLineBreaks(base64);
  if (!isBase64(data)) return { type: "text", text: `[${type} (${mimeType}): its data is not valid Base64]` };
  return { type, data, mimeType, ...more };
}

/** Cuts the middle out of texts that are too long together, and says so. */
export function withinLimit(blocks: readonly UserContent[]): UserContent[] {
  let room = MAX_TEXT;
  return blocks.map((block) => {
    if (block.type !== "text") return block;
    const window = new OutputWindow(room);
    window.push(block.text);
    room = Math.max(0, room - block.text.length);
    return { ...block, text: window.text((cut) => `[… ${cut} characters cut …]`) };
  });
}

/** `3/10 reading` */
export function progressText({ progress, total, message }: McpProgress): string {
  const share = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined ? share : `${share} ${message}`;
}
