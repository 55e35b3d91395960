import { isEmpty, isObject, type JsonObject, setOwn } from "../json/value.js";
import type { Ext } from "../types.js";

type Holder = { ext?: Ext };

/**
 * Access to one dialect's notes in the `ext` of messages, blocks, tools and calls. Every dialect uses these names:
 *
 *     export const { notesOf, extWith } = ownNotes(NAME);
 */
export function ownNotes(dialect: string) {
  /** The dialect's notes; empty if there are none. */
  const notesOf = (holder: Holder | undefined): JsonObject => {
    const noted = holder?.ext?.[dialect];
    return isObject(noted) ? noted : {};
  };
  /** `{ ext }` with these notes and synthesised fields, added to `others`; `{}` if there is nothing to store. */
  const extWith = (notes: object, synthesised: readonly string[] = [], others?: Ext): Holder => {
    const kept = withoutEmpty(notes);
    if (kept === undefined && synthesised.length === 0 && (others === undefined || isEmpty(others)))
      return {};
    const ext: Ext = others === undefined ? {} : { ...others };
    if (synthesised.length > 0) ext.synthesised = [...(others?.synthesised ?? []), ...synthesised];
    if (kept !== undefined) ext[dialect] = kept;
    return { ext };
  };
  /** Adds notes in place. */
  const addNotes = (holder: Holder, notes: object): void => {
    const kept = withoutEmpty(notes);
    if (kept === undefined) return;
    const noted = holder.ext?.[dialect];
    const ext: Ext = {};
    for (const key in holder.ext) setOwn(ext, key, holder.ext[key]);
    ext[dialect] = isObject(noted) ? { ...noted, ...kept } : kept;
    holder.ext = ext;
  };
  /** Appends a value to a list in the notes, in place. */
  const appendNote = (holder: Holder, key: string, value: unknown): void => {
    const list = notesOf(holder)[key];
    addNotes(holder, { [key]: [...(Array.isArray(list) ? list : []), value] });
  };
  /** Adds notes to a copy. */
  const withNotes = <T extends Holder>(holder: T, notes: object): T => {
    const copy = { ...holder };
    addNotes(copy, notes);
    return copy;
  };
  /** The notes of other dialects; undefined if there are none. */
  const othersIn = (ext: Ext | undefined): Ext | undefined => {
    const { [dialect]: _, ...others } = ext ?? {};
    return isEmpty(others) ? undefined : others;
  };
  /** Whether it is an `ext` with notes, and none of this dialect. */
  const isForeign = (ext: unknown): ext is Ext =>
    isObject(ext) && !isEmpty(ext) && !Object.hasOwn(ext, dialect);
  return { notesOf, extWith, addNotes, appendNote, withNotes, othersIn, isForeign };
}

/** The notes without undefined values and empty deviations; undefined if nothing is left. */
function withoutEmpty(notes: object): JsonObject | undefined {
  let kept: JsonObject | undefined;
  if (!isObject(notes)) return kept;
  for (const key in notes) {
    const value = notes[key];
    const isDeviation = key === "fields" || key === "absent" || key === "inside";
    if (value === undefined || (isDeviation && typeof value === "object" && isEmpty(value ?? {}))) continue;
    kept ??= {};
    setOwn(kept, key, value);
  }
  return kept;
}
