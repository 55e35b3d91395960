import { isEmpty, isObject, type JsonObject, setOwn } from "../json/value.js";
import type { Ext } from "../types.js";

type Holder = { ext?: Ext };

/**
 * Access to what one dialect keeps in the `ext` of messages, blocks, tools and calls. Every dialect names these alike:
 *
 *     export const { notesOf, extWith } = ownNotes(NAME);
 */
export function ownNotes(dialect: string) {
  /** What the dialect noted; empty when it noted nothing. */
  const notesOf = (holder: Holder | undefined): JsonObject => {
    const noted = holder?.ext?.[dialect];
    return isObject(noted) ? noted : {};
  };
  /** `{ ext }` with these notes and these synthesised fields beside what `others` keep; nothing when there is nothing to keep. */
  const extWith = (notes: object, synthesised: readonly string[] = [], others?: Ext): Holder => {
    const kept = withoutEmpty(notes);
    const ext: Ext = { ...others };
    if (synthesised.length > 0) ext.synthesised = [...(others?.synthesised ?? []), ...synthesised];
    if (!isEmpty(kept)) ext[dialect] = kept;
    return isEmpty(ext) ? {} : { ext };
  };
  /** Notes more of what holds the notes. */
  const addNotes = (holder: Holder, notes: object): void => {
    const kept = withoutEmpty(notes);
    if (!isEmpty(kept)) holder.ext = { ...holder.ext, [dialect]: { ...notesOf(holder), ...kept } };
  };
  /** The same in a copy. */
  const withNotes = <T extends Holder>(holder: T, notes: object): T => {
    const copy = { ...holder };
    addNotes(copy, notes);
    return copy;
  };
  /** What others keep; undefined when that is nothing. */
  const othersIn = (ext: Ext | undefined): Ext | undefined => {
    const { [dialect]: _, ...others } = ext ?? {};
    return isEmpty(others) ? undefined : others;
  };
  /** Whether it is an `ext` in which this dialect keeps nothing. */
  const isForeign = (ext: unknown): ext is Ext => isObject(ext) && !Object.hasOwn(ext, dialect);
  return { notesOf, extWith, addNotes, withNotes, othersIn, isForeign };
}

/** Notes that say something: an empty deviation says nothing, and so does what is undefined. */
function withoutEmpty(notes: object): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(notes)) {
    const isDeviation = key === "fields" || key === "absent" || key === "inside";
    if (value === undefined || (isDeviation && typeof value === "object" && isEmpty(value ?? {}))) continue;
    setOwn(kept, key, value);
  }
  return kept;
}
