/** A value in a row. Integers are exact up to 2^53. */
export type Value = null | number | string | Uint8Array;

/** An integer of up to nine bytes, seven bits in each and eight in the ninth, and the place after it. */
export function readVarint(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes.readUInt8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + index + 1];
  }
  return [value * 256 + bytes.readUInt8(at + 8), at + 9];
}

/**
 * The values of a record: a header with the type of each value, and then the values. If only the beginning of a record is
 * given, the values in it.
 */
export function readRecord(bytes: Buffer): Value[] {
  const [headerBytes, first] = readVarint(bytes, 0);
  const values: Value[] = [];
  let at = headerBytes;
  for (let place = first; place < headerBytes; ) {
    const [type, next] = readVarint(bytes, place);
    const end = at + bytesOf(type);
    if (end > bytes.length) break;
    values.push(readValue(bytes, type, at, end));
    place = next;
    at = end;
  }
  return values;
}

/** The order of a record's first value and a text in an index: nothing, numbers, texts by their bytes, blobs. */
export function compareFirst(bytes: Buffer, text: Buffer): number {
  const [headerBytes, first] = readVarint(bytes, 0);
  const [type] = readVarint(bytes, first);
  if (type < FIRST_BLOB) return -1;
  if (type % 2 === 0) return 1;
  return bytes.compare(text, 0, text.length, headerBytes, headerBytes + bytesOf(type));
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];
const REAL = 7;
const ZERO = 8;
const ONE = 9;
/** From here on, even types are blobs and odd ones texts; the type contains the length. */
const FIRST_BLOB = 12;

function bytesOf(type: number): number {
  if (type === REAL) return 8;
  return type >= FIRST_BLOB ? Math.floor((type - FIRST_BLOB) / 2) : (INTEGER_BYTES[type] ?? 0);
}

function readValue(bytes: Buffer, type: number, at: number, end: number): Value {
  if (type === 0) return null;
  if (type === ZERO || type === ONE) return type - ZERO;
  if (type === REAL) return bytes.readDoubleBE(at);
  if (type >= FIRST_BLOB) return type % 2 === 0 ? bytes.subarray(at, end) : bytes.toString("utf8", at, end);
  return end - at === 8 ? Number(bytes.readBigInt64BE(at)) : bytes.readIntBE(at, end - at);
}
