/** Control characters, and others that change how a text is shown. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** A text as one word of a POSIX shell. What a terminal must not print is written as escape sequences. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  if (!UNPRINTABLE.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = [...Buffer.from(text)].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `$'${escaped.join("")}'`;
}

/** Commands to be run one after the other in a folder, as a line for a shell. */
export function shellLine(folder: string | undefined, commands: readonly (readonly string[])[]): string {
  const all = folder === undefined ? commands : [["cd", folder], ...commands];
  return all.map((words) => words.map(shellWord).join(" ")).join(" && ");
}
