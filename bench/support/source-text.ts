const LINES = [
  'import { readFile, writeFile } from "node:fs/promises";',
  "export async function load(path: string): Promise<Record<string, unknown>> {",
  '  const text = await readFile(path, "utf8");',
  '  if (text.trim() === "") throw new Error("empty: " + path);',
  '  return JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value));',
  "}",
  "",
  "  for (const [name, value] of Object.entries(settings)) {",
  '    if (typeof value !== "string") continue;',
  "\tpattern.lastIndex = 0; // C:\\\\temp\\\\cache",
  '    result.push({ name, value: value.replaceAll(/\\s+/g, " "), at: index++ });',
  "  }",
  "  // Nobody waits for this one: it is only here so that the next start is faster.",
  '  return result.filter(({ name }) => !name.startsWith("_")).map(({ value }) => value);',
];

/** Source code of exactly that length, ASCII, with the quotes, tabs, backslashes and newlines that JSON escapes. */
export function sourceText(length: number): string {
  const parts: string[] = [];
  for (let sofar = 0, line = 0; sofar < length; line++) {
    const text = `${LINES[(line * 5 + (line >> 4)) % LINES.length]}\n`;
    parts.push(text);
    sofar += text.length;
  }
  return parts.join("").slice(0, length);
}

export function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}
