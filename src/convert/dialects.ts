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
}

/** Lists every dialect. */
export async function dialects(): Promise<DialectInfo[]> {
  return (await loadAll()).map((dialect) => {
    const { name, title, kind, oneWay, live } = dialect;
    return {
      name,
      title,
      kind,
      reads: oneWay?.only !== "writes",
      writes: oneWay?.only !== "reads",
      streams: live !== undefined,
      conversations: holdsConversations(dialect),
    };
  });
}
