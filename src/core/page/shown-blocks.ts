import { isBase64, withoutLineBreaks } from "../message/media.js";
import type { AssistantContent, UserContent } from "../types.js";
import { shownLine, shownText } from "./shown-text.js";

type Media = Extract<UserContent, { type: "image" | "audio" | "file" }>;

/** Blocks as a page shows them, and a description of each media block that it cannot show. */
interface ShownBlocks<B> {
  content: B[];
  /** The index in the source of each shown block. */
  indexes: number[];
  omitted: string[];
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
  const result: ShownBlocks<B> = { content: [], indexes: [], omitted: [] };
  for (const [index, block] of blocks.entries()) {
    const shown = show(block);
    if (shown !== undefined) {
      result.content.push(shown);
      result.indexes.push(index);
    } else if (isMedia(block)) result.omitted.push(nameOf(block));
  }
  return result;
}

function showUserBlock(block: UserContent, embeds: Embeds): UserContent | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: shownText(block.text) };
    case "image": {
      const shown = showMedia(block, embeds);
      return shown && { type: "image", ...shown };
    }
    case "audio": {
      const shown = showMedia(block, embeds);
      return shown && { type: "audio", ...shown };
    }
    case "file": {
      const shown = showMedia(block, embeds);
      return shown && { type: "file", ...shown };
    }
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

function showMedia(block: Media, embeds: Embeds): MediaFields | undefined {
  const name = block.name === undefined ? {} : { name: shownLine(block.name) };
  if (block.data === undefined) {
    const mimeType = block.mimeType === undefined ? {} : { mimeType: shownLine(block.mimeType) };
    return { url: shownLine(block.url), ...mimeType, ...name };
  }
  if (!embeds || !EMBEDDED[block.type].test(block.mimeType)) return undefined;
  if (!isBase64(withoutLineBreaks(block.data))) return undefined;
  return { data: block.data, mimeType: block.mimeType, ...name };
}

function isMedia(block: AssistantContent): block is Media {
  return block.type === "image" || block.type === "audio" || block.type === "file";
}

/** `image "chart.png" (image/png)` */
function nameOf({ type, name, mimeType }: Media): string {
  const title = name === undefined ? "" : ` "${shownLine(name)}"`;
  return `${type}${title}${mimeType === undefined ? "" : ` (${shownLine(mimeType)})`}`;
}
