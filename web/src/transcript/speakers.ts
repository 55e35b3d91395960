/** Who says something, as a reader sees it. */
export interface Speaker {
  kind: "user" | "agent";
  name: string;
  /** One of the theme's colours for people, from 0; undefined for whoever is the only one of its kind. */
  colour: number | undefined;
}

const COLOURS = 8;

/** You and the assistant have no colour; everybody who is named has the same one everywhere. */
export function speakerOf(role: "user" | "assistant", sender: string | undefined): Speaker {
  const kind = role === "user" ? "user" : "agent";
  if (sender === undefined || sender === "") {
    return { kind, name: kind === "user" ? "You" : "Assistant", colour: undefined };
  }
  return { kind, name: sender, colour: colourOf(sender) };
}

/** FNV-1a: the same name has the same colour in every session and browser. */
function colourOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % COLOURS;
}
