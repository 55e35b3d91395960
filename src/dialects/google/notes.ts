import { isObject, type JsonObject } from "../../core/json/value.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

export const { notesOf, extWith, addNotes, withNotes } = ownNotes(NAME);

/** Data of a part that our model does not have, kept on the block that was read from it. */
export interface BlockNotes {
  /** Further fields of the part. */
  part?: JsonObject;
  /** Further fields of the object in the part. */
  inner?: JsonObject;
  /** The call had no id; we created one. */
  noId?: true;
  /** The call had no `args`. */
  noArgs?: true;
  /** It was inside the function response, not beside it. */
  nested?: true;
  /** It starts a further content of the same answer. */
  opens?: true;
  /** The lengths of the text's pieces, each of which was in its own content. */
  pieces?: number[];
}

/** Data of a content that our model does not have, kept on the first message that was read from it. */
export interface ContentNotes {
  /** Further fields of the content. */
  rest?: JsonObject;
  /** It is separate from the content before, which has the same role. */
  apart?: true;
  /** The role, if it is not the one that we would write; null if there was none. */
  role?: "function" | null;
  noParts?: true;
}

/** Data of a function response that our model does not have, kept on the result that was read from it. */
export interface ResultNotes extends Pick<BlockNotes, "part" | "inner" | "noId"> {
  /** The result's text is the response as JSON. */
  json?: true;
}

/** An object in the notes; empty if it is missing or not an object. */
export function within(notes: JsonObject, key: string): JsonObject {
  const value = notes[key];
  return isObject(value) ? value : {};
}
