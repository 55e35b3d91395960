import { DragomanError } from "dragoman/core";
import { connect } from "../../gateway/connect.js";
import { TokenKeeper } from "../../gateway/token.js";
import type { Source } from "./envelope.js";

/** A session of the gateway that this page came from, as it is stored there, with the token that the app has kept. */
export async function fetchSession(id: string): Promise<Source> {
  const token = new TokenKeeper(localStorage, sessionStorage).read();
  if (token === undefined) throw new Error(`This tab has no token of the gateway. ${OPEN_THE_APP}`);
  const client = await connect(token).catch((cause: unknown) => {
    throw new Error(`The gateway does not answer, or does not take this token any more. ${OPEN_THE_APP}`, {
      cause,
    });
  });
  try {
    const [{ session }, { dialect, text }] = await Promise.all([
      client.call("sessions.get", { sessionKey: id }),
      client.call("sessions.export", { sessionKey: id }),
    ]);
    return { name: session.title ?? id, bytes: new TextEncoder().encode(text), from: dialect };
  } catch (error) {
    throw isTooLarge(error)
      ? new Error(`This session is too large for that. Run: dragoman view ${id}`)
      : error;
  } finally {
    client.close();
  }
}

const OPEN_THE_APP =
  "Open the app with the link that `dragoman serve` has printed, and the session from there.";

/** -32005 of `docs/spec/rpc.md`. */
function isTooLarge(error: unknown): boolean {
  return (
    error instanceof DragomanError && error.code === "client/refused" && error.details?.["code"] === -32005
  );
}
