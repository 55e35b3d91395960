import { type Pieces, parsePieces, type Slot, slotsIn, writePieces } from "./pieces.js";

const PATIENCE_MS = 20_000;
const LONG = 12;

/** A smaller input that fails in the same way, as small as the time limit allows. */
export async function shrink(
  input: Uint8Array,
  fails: (input: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  let best = input;
  const end = Date.now() + PATIENCE_MS;
  const isPatient = () => Date.now() < end;
  const adopt = async (candidate: Uint8Array | undefined) => {
    if (candidate === undefined || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  // Rewriting changes the spelling, which may be what fails.
  if (await adopt(edited(best, () => true))) {
    for (let index = 0; isPatient() && index < slotsIn(piecesOf(best).values).length; ) {
      if (await adopt(edited(best, (pieces) => removeAt(pieces, index)))) continue;
      await adopt(edited(best, (pieces) => shortenAt(pieces, index)));
      index++;
    }
  }
  for (let size = best.length >> 1; size > 0; size >>= 1) {
    for (let start = 0; isPatient() && start < best.length; ) {
      const rest = [...best.subarray(0, start), ...best.subarray(start + size)];
      if (!(await adopt(Uint8Array.from(rest)))) start += size;
    }
  }
  return best;
}

function piecesOf(bytes: Uint8Array): Pieces {
  return parsePieces(new TextDecoder().decode(bytes));
}

function edited(bytes: Uint8Array, edit: (pieces: Pieces) => boolean): Uint8Array | undefined {
  const pieces = piecesOf(bytes);
  return edit(pieces) ? new TextEncoder().encode(writePieces(pieces)) : undefined;
}

function slotAt({ values }: Pieces, index: number): Slot | undefined {
  return slotsIn(values)[index];
}

function removeAt(pieces: Pieces, index: number): boolean {
  const slot = slotAt(pieces, index);
  if (slot === undefined) return false;
  if (Array.isArray(slot.parent)) slot.parent.splice(Number(slot.key), 1);
  else Reflect.deleteProperty(slot.parent, slot.key);
  return true;
}

function shortenAt(pieces: Pieces, index: number): boolean {
  const slot = slotAt(pieces, index);
  const value: unknown = slot === undefined ? undefined : Reflect.get(slot.parent, slot.key);
  if (slot === undefined || typeof value !== "string" || value.length <= LONG) return false;
  return Reflect.set(slot.parent, slot.key, "x");
}
