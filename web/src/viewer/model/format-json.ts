const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+|"/g;
const STEP = "  ";

/** Puts every member and element on a line of its own. The tokens stay as they are in the file: numbers, escapes, repeated names. */
export function formatJson(text: string): string {
  const tokens = text.match(token) ?? [];
  let formatted = "";
  let depth = 0;
  const newLine = () => `\n${STEP.repeat(depth)}`;
  for (const [at, one] of tokens.entries()) {
    const isEmpty = one === "{" ? tokens[at + 1] === "}" : one === "[" && tokens[at + 1] === "]";
    if (one === "{" || one === "[") {
      depth++;
      formatted += isEmpty ? one : `${one}${newLine()}`;
    } else if (one === "}" || one === "]") {
      depth = Math.max(0, depth - 1);
      const before = tokens[at - 1];
      formatted += before === "{" || before === "[" ? one : `${newLine()}${one}`;
    } else if (one === ",") formatted += `,${newLine()}`;
    else formatted += one === ":" ? ": " : one;
  }
  return formatted;
}
