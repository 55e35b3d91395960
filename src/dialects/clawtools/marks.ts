import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Ext } from "../../core/types.js";

/** The dialect's name: what only it can say stands under this key of `ext`. */
export const NAME = "clawtools";

/** How a message stood in the array, where the model would not tell. Only what differs from what `encode` writes. */
export interface Marks {
  /** The content was not an array of blocks. */
  content?: "string" | "null";
  /** Fields of the format that were not there. */
  absent?: string[];
  /** Fields that the model has and the format does not, which were there all the same. */
  also?: string[];
  /** Fields that neither has. */
  fields?: JsonObject;
  /** The message has a role that the format does not have. */
  stray?: boolean;
}

/** The same for a block. */
export interface BlockMarks {
  fields?: JsonObject;
  /** What stood beside `url` in the `image_url` of an image. */
  imageUrl?: JsonObject;
  /** The image stood there as an `image` block, where `encode` writes an `image_url` block. */
  plainImage?: boolean;
  /** The arguments of a tool call, when they were no object. */
  arguments?: unknown;
}

/** The `ext` that holds the marks, as a property to spread; nothing if there are none. */
export function extWith(marks: Marks | BlockMarks, synthesised: string[] = []): { ext?: Ext } {
  const hasMarks = Object.keys(marks).length > 0;
  if (!hasMarks && synthesised.length === 0) return {};
  return {
    ext: { ...(synthesised.length > 0 ? { synthesised } : {}), ...(hasMarks ? { [NAME]: marks } : {}) },
  };
}

/** The marks of a message. Anybody may have written `ext`, so nothing in it is taken on trust. */
export function marksOf(ext: Ext | undefined): Required<Omit<Marks, "content">> & Pick<Marks, "content"> {
  const own = ownOf(ext);
  const { content } = own;
  return {
    ...(content === "string" || content === "null" ? { content } : {}),
    absent: strings(own["absent"]),
    also: strings(own["also"]),
    fields: isObject(own["fields"]) ? own["fields"] : {},
    stray: own["stray"] === true,
  };
}

export function blockMarksOf(ext: Ext | undefined): BlockMarks & Required<Pick<BlockMarks, "fields">> {
  const own = ownOf(ext);
  return {
    fields: isObject(own["fields"]) ? own["fields"] : {},
    ...(isObject(own["imageUrl"]) ? { imageUrl: own["imageUrl"] } : {}),
    plainImage: own["plainImage"] === true,
    ...(Object.hasOwn(own, "arguments") ? { arguments: own["arguments"] } : {}),
  };
}

function ownOf(ext: Ext | undefined): JsonObject {
  const own = ext?.[NAME];
  return isObject(own) ? own : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((member) => typeof member === "string") : [];
}
