import { readFileSync } from "node:fs";

/** The programs of a guide, each with the text that follows it, which is what it prints. */
export function guidePrograms(path: string): { program: string; printed: string }[] {
  const blocks = readFileSync(path, "utf8").matchAll(
    /```js\n((?:(?!```)[\s\S])*)```\n\n```text\n([\s\S]*?)```/g,
  );
  return [...blocks].map(([, program = "", printed = ""]) => ({ program, printed }));
}
