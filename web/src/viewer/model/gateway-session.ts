import { DragomanError } from "dragoman/core";
import { connect } from "../../gateway/connect.js";
import { TokenStore } from "../../gateway/token.js";
import { viewerTexts } from "../../text/viewer-texts.js";
import type { Source } from "./envelope.js";

/** Loads a stored session from the gateway that served this page, with the app's token. */
export async function fetchSession(id: string, source?: string): Promise<Source> {
  const token = new TokenStore(localStorage, sessionStorage).read();
  if (token === undefined) throw new Error(viewerTexts.failure.signedOut);
  const client = await connect(token).catch((cause: unknown) => {
    throw new Error(viewerTexts.failure.noGateway, { cause });
  });
  const named = { sessionKey: id, ...(source === undefined ? {} : { source }) };
  try {
    const [{ session }, { dialect, text }] = await Promise.all([
      client.call("sessions.get", named),
      client.call("sessions.export", named),
    ]);
    return { name: session.title ?? id, bytes: new TextEncoder().encode(text), from: dialect };
  } catch (error) {
    throw isTooLarge(error) ? new Error(viewerTexts.failure.tooLarge(id)) : error;
  } finally {
    client.close();
  }
}

/** Error -32005 in `docs/spec/rpc.md`. */
function isTooLarge(error: unknown): boolean {
  return (
    error instanceof DragomanError && error.code === "client/refused" && error.details?.["code"] === -32005
  );
}
