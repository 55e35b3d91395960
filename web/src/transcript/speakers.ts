import { texts } from "../text/texts.js";
/** A message's sender as displayed. */
export interface Speaker {
  kind: "user" | "agent";
  name: string;
  /** Index of a theme colour; undefined for the unnamed user and assistant. */
  colour: number | undefined;
}

const COLOURS = 8;

/** Named senders have a colour; the unnamed user and assistant have none. */
export function speakerOf(role: "user" | "assistant", sender: string | undefined): Speaker {
  const kind = role === "user" ? "user" : "agent";
  if (sender === undefined || sender === "") {
    return {
      kind,
      name: kind === "user" ? texts.transcript.you : texts.transcript.assistant,
      colour: undefined,
    };
  }
  return { kind, name: sender, colour: colourOf(sender) };
}

/** FNV-1a, so that a name has the same colour in every session and browser. */
function colourOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % COLOURS;
}
