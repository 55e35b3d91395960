import { joinBytes, NO_BYTES } from "./bytes.js";

/** Whether the bytes of a source contain a text, also across chunks. */
export async function containsText(source: AsyncIterable<Uint8Array>, text: string): Promise<boolean> {
  const isIn = textSearch(text);
  const overlap = new TextEncoder().encode(text).length - 1;
  let end: Uint8Array = NO_BYTES;
  for await (const chunk of source) {
    if (isIn(joinBytes([end, chunk.subarray(0, overlap)])) || isIn(chunk)) return true;
    end = joinBytes([end, chunk.subarray(-overlap)]).subarray(-overlap);
  }
  return false;
}

/** Whether bytes contain a text. */
export function textSearch(text: string): (bytes: Uint8Array) => boolean {
  const wanted = new TextEncoder().encode(text);
  // Capital letters and underscores are rare in most texts, so `indexOf` skips most of the bytes.
  const offset = Math.max(0, wanted.findIndex(isRare));
  const rare = wanted[offset] ?? 0;
  return (bytes) => {
    for (let at = bytes.indexOf(rare); at >= 0; at = bytes.indexOf(rare, at + 1)) {
      if (isAt(wanted, bytes, at - offset)) return true;
    }
    return false;
  };
}

function isAt(wanted: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[start + index] !== wanted[index]) return false;
  }
  return true;
}

function isRare(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f;
}
