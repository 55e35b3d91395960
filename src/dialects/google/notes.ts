import { isObject, type JsonObject } from "../../core/json/value.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

export const { notesOf, extWith, addNotes, withNotes } = ownNotes(NAME);

/** What a part says that the model has no word for, kept on the block it became. */
export interface BlockNotes {
  /** Further fields of the part. */
  part?: JsonObject;
  /** Further fields of what the part holds. */
  inner?: JsonObject;
  /** The call had no id; the one it has was made here. */
  noId?: true;
  /** The call had no `args`. */
  noArgs?: true;
  /** It stood inside the function response, not beside it. */
  nested?: true;
  /** It begins a further content of the same answer. */
  opens?: true;
  /** The text came in contents of its own for each of these lengths. */
  pieces?: number[];
}

/** What a content says that the model has no word for, kept on the first message it became. */
export interface ContentNotes {
  /** Further fields of the content. */
  rest?: JsonObject;
  /** It is a content of its own though the one before has the same role. */
  apart?: true;
  /** The role, where it is not the one we would write; null when there was none. */
  role?: "function" | null;
  noParts?: true;
}

/** What a function response says that the model has no word for, kept on the result it became. */
export interface ResultNotes extends Pick<BlockNotes, "part" | "inner" | "noId"> {
  /** The text of the result is the response as JSON. */
  json?: true;
}

/** An object of the notes; empty when it is missing, or is something else. */
export function within(notes: JsonObject, key: string): JsonObject {
  const value = notes[key];
  return isObject(value) ? value : {};
}
