import fc from "fast-check";

const space = fc.constantFrom("", "", "", " ", "\n", "\t\r\n");

const number = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constant("0"), fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String)),
    fc.constantFrom("", ".0", ".5", ".000", ".1234567890123456789"),
    fc.constantFrom("", "", "e0", "E+2", "e-07", "e400", "E-400"),
  )
  .map((parts) => parts.join(""));

const piece = fc.oneof(
  fc.constantFrom("a", "é", " ", "[", "}", ",", ":", "'", "\u2028", "\u007f", "😀", "\ud83d", "\ude00"),
  fc.constantFrom('\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\u00e9", "\\uFFFF"),
  fc.constantFrom("\\ud83d\\ude00", "\\uD83D", "\\uDE00", "\ud83d\\ude00", "\\ud83d\ude00"),
  fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => JSON.stringify(text).slice(1, -1)),
);
const string = fc.array(piece, { maxLength: 6 }).map((pieces) => `"${pieces.join("")}"`);

const key = fc.oneof(
  { weight: 3, arbitrary: string },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"__proto__"', '"constructor"', '"toString"', '"0"', '"12"', '"length"'),
  },
);

const literal = fc.constantFrom("true", "false", "null");
const plain = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value));
const deep = fc
  .integer({ min: 1, max: 60 })
  .map((depth) => `${'[{"d":'.repeat(depth)}7${"}]".repeat(depth)}`);

/** Writes elements between brackets, with space wherever JSON allows it. */
function between(open: string, close: string, elements: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  return fc.tuple(elements, space, space).map(([list, before, after]) => {
    return open + before + list.join(`${after},${before}`) + after + close;
  });
}

function member(value: fc.Arbitrary<string>): fc.Arbitrary<[string, string]> {
  return fc.tuple(fc.tuple(key, space, space), value).map(([[name, before, after], text]) => {
    return [name, `${name}${before}:${after}${text}`];
  });
}

/**
 * JSON texts in all the spellings the grammar has: every escape, raw and escaped surrogates with and without their
 * partner, awkward keys, deep nesting, numbers of any length. With `repeatedKeys` some objects have the key `twice`
 * two times; without, no object has any key more than once.
 */
export function jsonText(options: { repeatedKeys: boolean }): fc.Arbitrary<string> {
  const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      string,
      number,
      literal,
      plain,
      deep,
      tie("array"),
      tie("array"),
      tie("object"),
      tie("object"),
    ),
    array: between("[", "]", fc.array(tie("value"), { maxLength: 5 })),
    object: between(
      "{",
      "}",
      fc
        .uniqueArray(member(tie("value")), { maxLength: 5, selector: ([name]) => JSON.parse(name) })
        .map((members) => {
          const texts = members.map(([, text]) => text);
          return options.repeatedKeys && texts.length > 2
            ? ['"twice":[1,2]', ...texts, '"twice":"x"']
            : texts;
        }),
    ),
  }));
  return fc.tuple(space, value, space).map((parts) => parts.join(""));
}
