const codes = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Colour = keyof typeof codes;
export type Paint = (colour: Colour, text: string) => string;

/** Whether to use colours: on a terminal that supports them or with `FORCE_COLOR`, unless the user opted out. */
export function wantsColour(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  refused: boolean | undefined,
): boolean {
  const { NO_COLOR = "", FORCE_COLOR = "", TERM } = env;
  if (refused === true || NO_COLOR !== "") return false;
  if (FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return stream.isTTY === true && TERM !== "dumb";
}

/** The codes that `painter` writes. Any other escape sequence is untrusted. */
export const ownCodes = new RegExp(
  `\\u001b\\[(?:${[...new Set(Object.values(codes).flat())].join("|")})m`,
  "g",
);

/**
 * Colours text with basic ANSI codes, or leaves it plain.
 *
 * @example
 * const paint = painter(wantsColour(process.stderr, process.env, values["no-color"]));
 * process.stderr.write(paint("red", "dropped"));
 */
export function painter(coloured: boolean): Paint {
  if (!coloured) return (_colour, text) => text;
  return (colour, text) => `\u001b[${codes[colour][0]}m${text}\u001b[${codes[colour][1]}m`;
}
