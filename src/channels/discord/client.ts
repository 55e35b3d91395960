import { DragomanError } from "../../core/error.js";

type Rest = typeof import("@discordjs/rest");
type Sockets = typeof import("@discordjs/ws");

/** The parts of discord.js in use. They load in half the time of the whole and pass on messages unchanged. */
export interface Parts {
  REST: Rest["REST"];
  WebSocketManager: Sockets["WebSocketManager"];
}

export async function loadParts(): Promise<Parts> {
  try {
    const [{ REST }, { WebSocketManager }] = await Promise.all([
      import("@discordjs/rest"),
      import("@discordjs/ws"),
    ]);
    return { REST, WebSocketManager };
  } catch (cause) {
    throw new DragomanError(
      "channel/no-client",
      "Discord needs the packages @discordjs/rest and @discordjs/ws, which are not installed",
      { hint: "npm install @discordjs/rest @discordjs/ws", cause },
    );
  }
}
