import { isBase64, withoutLineBreaks } from "../message/media.js";
import type { AssistantContent, UserContent } from "../types.js";
import { shownLine, shownText } from "./shown-text.js";

type Media = Extract<UserContent, { type: "image" | "audio" | "file" }>;

/** Blocks as a page shows them. */
interface ShownBlocks<B> {
  content: B[];
  /** The index in the source of each shown block. */
  indexes: number[];
  /** Pointers to the media whose bytes the page does not contain; it names them. */
  unshown: string[];
}

/** Whether a page contains the bytes of media; a page of plain text can only link to them. */
export type Embeds = boolean;

export function showBlocks(blocks: readonly UserContent[], embeds: Embeds): ShownBlocks<UserContent> {
  return collect(blocks, (block) => showUserBlock(block, embeds));
}

export function showAnswer(
  blocks: readonly AssistantContent[],
  embeds: Embeds,
): ShownBlocks<AssistantContent> {
  return collect(blocks, (block) => {
    if (block.type === "thinking") {
      const { type, thinking, redacted } = block;
      return { type, thinking: shownText(thinking), ...(redacted === undefined ? {} : { redacted }) };
    }
    if (block.type === "toolCall") {
      const { type, id, name, arguments: values, argumentsError } = block;
      return {
        type,
        id: shownLine(id),
        name: shownLine(name),
        arguments: values,
        ...(argumentsError === undefined ? {} : { argumentsError: shownLine(argumentsError) }),
      };
    }
    return showUserBlock(block, embeds);
  });
}

function collect<B extends AssistantContent>(
  blocks: readonly B[],
  show: (block: B) => B | undefined,
): ShownBlocks<B> {
  const result: ShownBlocks<B> = { content: [], indexes: [], unshown: [] };
  for (const [index, block] of blocks.entries()) {
    const shown = show(block);
    if (shown === undefined) continue;
    if (isUnshown(shown)) result.unshown.push(`/content/${index}/data`);
    result.content.push(shown);
    result.indexes.push(index);
  }
  return result;
}

function showUserBlock(block: UserContent, embeds: Embeds): UserContent | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: shownText(block.text) };
    case "image":
      return { type: "image", ...showMedia(block, embeds) };
    case "audio":
      return { type: "audio", ...showMedia(block, embeds) };
    case "file":
      return { type: "file", ...showMedia(block, embeds) };
    case "opaque":
      return undefined;
  }
}

/** Types that browsers show without running anything in them. */
const EMBEDDED: Record<Media["type"], RegExp> = {
  image: /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/,
  audio: /^audio\/[\w.+-]+$/,
  file: /^[\w.+-]+\/[\w.+-]+$/,
};

type MediaFields = { name?: string } & (
  | { data: string; mimeType: string; url?: never }
  | { url: string; mimeType?: string; data?: never }
);

/** Bytes that the page cannot contain are empty. */
function showMedia(block: Media, embeds: Embeds): MediaFields {
  const name = block.name === undefined ? {} : { name: shownLine(block.name) };
  if (block.data === undefined) {
    const mimeType = block.mimeType === undefined ? {} : { mimeType: shownLine(block.mimeType) };
    return { url: shownLine(block.url), ...mimeType, ...name };
  }
  const isShown =
    embeds && EMBEDDED[block.type].test(block.mimeType) && isBase64(withoutLineBreaks(block.data));
  return { data: isShown ? block.data : "", mimeType: shownLine(block.mimeType), ...name };
}

/** Whether the page only names the block. */
export function isUnshown(block: AssistantContent): boolean {
  return "data" in block && block.data === "";
}

/** `Not included: image "chart.png" (image/png)` */
export function omissionOf({ type, name, mimeType }: Media): string {
  const title = name === undefined ? "" : ` "${name}"`;
  return `Not included: ${type}${title}${mimeType === undefined ? "" : ` (${mimeType})`}`;
}
