import { dialects } from "dragoman/convert";

/** `session.jsonl` becomes `session.cline.json`. */
export async function fileName(name: string, to: string): Promise<string> {
  const { extension = "jsonl" } = (await dialects()).find((info) => info.name === to) ?? {};
  return `${stemOf(name)}.${to}.${extension}`;
}

/** A file's name without folder and extension. A longer ending is part of a session's title. */
export function stemOf(name: string): string {
  const stem = name.replace(/^.*[/\\]/, "").replace(/\.\w{1,5}$/, "");
  return stem === "" ? "transcript" : stem;
}
