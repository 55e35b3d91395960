import { withoutLineBreaks } from "../../core/message/media.js";
import { escapeHtml } from "../../core/page/escape-html.js";
import { callIdOf, thinkingTitle } from "../../core/page/page-heading.js";
import { isUnshown, omissionOf } from "../../core/page/shown-blocks.js";
import type { ShownOnPage } from "../../core/page/shown-message.js";
import type { AssistantContent, UserContent } from "../../core/types.js";
import { codeBox, styledText, webLink } from "./styled-text.js";

type Media = Extract<UserContent, { type: "image" | "audio" | "file" }>;

export function blockHtml(shown: ShownOnPage, block: AssistantContent, index: number): string {
  switch (block.type) {
    case "text":
      return shown.message.role === "toolResult" ? codeBox(block.text) : styledText(block.text);
    case "thinking":
      return `<div class="thinking"><p class="label">${thinkingTitle(block)}</p>${styledText(block.thinking)}</div>`;
    case "toolCall": {
      const id = callIdOf(shown, { id: block.id, index });
      const { argumentsError: trouble } = block;
      const note = trouble === undefined ? "" : `<p class="note">Arguments: ${escapeHtml(trouble)}</p>`;
      return `<div class="call"><p class="label">Tool call ${callName(block.name, id)}</p>${json(block.arguments)}${note}</div>`;
    }
    case "image":
    case "audio":
    case "file":
      return mediaHtml(block);
    case "opaque":
      return "";
  }
}

/** The id, if any, shows which result belongs to which call. */
export function callName(name: string, id: string): string {
  const shown = `<b>${escapeHtml(name)}</b>`;
  return id === "" ? shown : `${shown} <span class="id">${escapeHtml(id)}</span>`;
}

export function json(value: unknown): string {
  return codeBox(JSON.stringify(value ?? null, null, 2));
}

function mediaHtml(block: Media): string {
  if (isUnshown(block)) return `<p class="note">${escapeHtml(omissionOf(block))}</p>`;
  const name = escapeHtml(block.name ?? block.type);
  const type = block.mimeType === undefined ? "" : ` <span class="id">${escapeHtml(block.mimeType)}</span>`;
  const caption = `<figcaption>${block.type === "file" ? "" : `${block.type}: `}${name}${type}</figcaption>`;
  if (block.data === undefined) return `<figure>${caption}${address(block.url)}</figure>`;
  const data = withoutLineBreaks(block.data);
  const source = `data:${escapeHtml(block.mimeType)};base64,${data}`;
  switch (block.type) {
    case "image":
      return `<figure><img src="${source}" alt="${name}">${caption}</figure>`;
    case "audio":
      return `<figure><audio controls src="${source}"></audio>${caption}</figure>`;
    case "file": {
      // A browser saves bytes of this type and never opens them.
      const saved = `data:application/octet-stream;base64,${data}`;
      return `<figure><a class="file" download="${name}" href="${saved}">Save ${name}</a>${type}</figure>`;
    }
  }
}

/** Addresses of the web are links. The page never loads them itself. */
function address(url: string): string {
  const text = escapeHtml(url);
  return /^https?:\/\//.test(url) ? webLink(url, text) : `<span class="id">${text}</span>`;
}
