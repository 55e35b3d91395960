import type { Framing } from "../core/dialect.js";
import { holdsConversations } from "./convert.js";
import { loadAll } from "./detect.js";

/** A dialect's description. */
export interface DialectInfo {
  name: string;
  title: string;
  kind: "transcript" | "provider";
  reads: boolean;
  writes: boolean;
  /** Whether it has a live form, as `replay` writes it. */
  streams: boolean;
  /** Whether one file can hold several conversations. */
  conversations: boolean;
  /** The extension of its files, without the dot. */
  extension: string;
}

/** Lists every dialect. */
export async function dialects(): Promise<DialectInfo[]> {
  return (await loadAll()).map((dialect) => {
    const { name, title, kind, framing, oneWay, live } = dialect;
    return {
      name,
      title,
      kind,
      reads: oneWay?.only !== "writes",
      writes: oneWay?.only !== "reads",
      streams: live !== undefined,
      conversations: holdsConversations(dialect),
      extension: extensionOf(framing),
    };
  });
}

/** The extension of files with this framing, without the dot. */
export function extensionOf(framing: Framing): string {
  if (framing.kind === "text") return framing.extension;
  return framing.kind === "document" ? "json" : "jsonl";
}
