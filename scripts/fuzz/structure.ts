import { isObject, setOwn } from "../../src/core/json/value.js";
import { type Pieces, Raw, type Slot, slotsIn } from "./pieces.js";
import type { Random } from "./random.js";
import type { Words } from "./words.js";

interface Scene {
  values: unknown[];
  random: Random;
  words: Words;
}

/** Changes the value in a slot, or its neighbours. */
type Change = (slot: Slot, scene: Scene) => void;

const scalars = [null, true, false, 0, 1, -1, 1.5, 2 ** 53, "", " ", "0", "text"] as const;
const shapes: readonly (() => unknown)[] = [
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => ({ type: "text" }),
];
const numbers = [
  "1e999",
  "-1e999",
  "-0",
  "0.0",
  "1e400",
  "1e-400",
  "12345678901234567890",
  "8640000000000001",
];
const depths = [3, 50, 900, 985, 995, 998, 999, 1000, 1001, 5000] as const;
const hostileKeys = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "",
  "a/b~c",
  "ext",
  "x-dragoman",
] as const;
const hostileTexts = [
  "\ud83d",
  "\ude00x",
  "x\ud83d\ud83d\ude00",
  "\ufeff",
  "\u0000",
  "\u2028\r\n",
  "__proto__",
  "/content/0",
  "~",
  "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  "9999-12-31T23:59:59.999Z",
  "-000001-01-01T00:00:00Z",
  "data:image/png;base64,iVBORw0KGgo=",
] as const;

const changes: readonly [Change, ...Change[]] = [
  remove,
  repeat,
  swap,
  (slot, { random }) => put(slot, random.pick(scalars)),
  (slot, { random }) => put(slot, random.pick(shapes)?.()),
  (slot, { random }) => put(slot, new Raw(random.pick(numbers) ?? "0")),
  (slot, { random }) => put(slot, nested(random)),
  (slot, { random }) => put(slot, random.pick(hostileTexts)),
  (slot, { random }) => put(slot, "long ".repeat(random.pick([100, 100, 500, 1000, 10_000]))),
  (slot, { random, words }) => put(slot, random.pick(words.texts)),
  (slot, { random, words }) => put(slot, copy(random.pick(words.values))),
  poison,
  rename,
  echo,
];

/** Changes one of the values, at any depth. */
export function changeStructure(values: unknown[], random: Random, words: Words): void {
  const records = values.map((_, index): Slot => ({ parent: values, key: String(index) }));
  // Whole records have a fixed share, however many values they contain.
  const slots = random.chance(0.2) ? records : slotsIn(random.pick(values));
  const slot = random.pick(slots.length > 0 ? slots : records);
  if (slot !== undefined) random.pick(changes)(slot, { values, random, words });
}

const MOST_RECORDS = 6;

/** Keeps the first record and a few adjacent ones: lines, or the lists in a document. */
export function cut({ values }: Pieces, random: Random): void {
  const [document] = values.length === 1 ? values : [];
  const lists = [values, document, ...(isObject(document) ? Object.values(document) : [])];
  for (const list of lists) {
    if (!Array.isArray(list) || list.length <= MOST_RECORDS) continue;
    const start = 1 + random.below(list.length - 1);
    list.splice(start + MOST_RECORDS);
    list.splice(1, start - 1);
  }
}

function put({ parent, key }: Slot, value: unknown): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else if (isObject(parent)) setOwn(parent, key, value);
}

function remove({ parent, key }: Slot): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
}

function repeat({ parent, key }: Slot, { random, words }: Scene): void {
  const value = copy(Reflect.get(parent, key));
  if (Array.isArray(parent)) parent.splice(random.below(parent.length + 1), 0, value);
  else put({ parent, key: random.pick(words.keys) ?? key }, value);
}

function swap({ parent, key }: Slot, { random }: Scene): void {
  const other = random.pick(Object.keys(parent)) ?? key;
  const mine: unknown = Reflect.get(parent, key);
  put({ parent, key }, Reflect.get(parent, other));
  put({ parent, key: other }, mine);
}

function nested(random: Random): Raw {
  const depth = random.chance(0.01) ? 50_000 : random.pick(depths);
  const [open, inner, close] = random.chance(0.5) ? ["[", "", "]"] : ['{"a":', "1", "}"];
  return new Raw(open.repeat(depth) + inner + close.repeat(depth));
}

function poison({ parent, key }: Slot, { random, words }: Scene): void {
  const target: unknown = Reflect.get(parent, key);
  put(
    { parent: isObject(target) ? target : parent, key: random.pick(hostileKeys) },
    copy(random.pick(words.values)),
  );
}

function rename({ parent, key }: Slot, { random, words }: Scene): void {
  if (Array.isArray(parent)) return;
  const value: unknown = Reflect.get(parent, key);
  Reflect.deleteProperty(parent, key);
  put({ parent, key: random.pick(words.keys) ?? key }, value);
}

/** Copies the value of the same name from elsewhere in the input: pairs and trees consist of equal ids. */
function echo(slot: Slot, { values, random }: Scene): void {
  const others = slotsIn(values).filter(({ key }) => key === slot.key || /id$/i.test(key));
  const other = random.pick(others);
  if (other !== undefined) put(slot, copy(Reflect.get(other.parent, other.key)));
}

function copy(value: unknown): unknown {
  return value instanceof Raw ? value : structuredClone(value);
}
