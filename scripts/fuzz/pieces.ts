/** Text that JSON.stringify never writes: a number that no double can represent, a line that is not JSON. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values in a text: one document, or lines. */
export interface Pieces {
  values: unknown[];
  isDocument: boolean;
}

export function parsePieces(text: string): Pieces {
  const document = tryParse(text);
  if (document !== undefined && text.trimEnd().includes("\n"))
    return { values: [document], isDocument: true };
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return { values: lines.map((line) => tryParse(line) ?? new Raw(line)), isDocument: false };
}

export function writePieces({ values, isDocument }: Pieces): string {
  return values.map((value) => `${write(value, isDocument ? 2 : 0)}\n`).join("");
}

function write(value: unknown, indent: number): string {
  const raws: string[] = [];
  const text = JSON.stringify(
    value,
    (_, inner: unknown) => (inner instanceof Raw ? `@raw ${raws.push(inner.text) - 1}@` : inner),
    indent,
  );
  return raws.length === 0 ? text : text.replace(/"@raw (\d+)@"/g, (_, index) => raws[Number(index)] ?? "");
}

/** The place of a value. */
export interface Slot {
  parent: object;
  key: string;
}

/** Every place below a value, at any depth. */
export function slotsIn(value: unknown, found: Slot[] = []): Slot[] {
  if (typeof value !== "object" || value === null || value instanceof Raw) return found;
  for (const key of Object.keys(value)) {
    found.push({ parent: value, key });
    slotsIn(Reflect.get(value, key), found);
  }
  return found;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
