import { HANDED, handedFile } from "../../gateway/handed-file.js";
import { viewerTexts } from "../../text/viewer-texts.js";
import { openEnvelope, type Source } from "./envelope.js";

const KEY = "dragoman.view.key";

/** The transcript a served page was opened for: a session, or the file of the link's key. Undefined if the user has to choose. */
export async function servedSource(): Promise<Source | undefined> {
  const asked = new URLSearchParams(location.hash.slice(1));
  const session = asked.get("session");
  if (session !== null) {
    const { fetchSession } = await import("./gateway-session.js");
    return fetchSession(session, asked.get("source") ?? undefined);
  }
  if (location.hash === HANDED) return droppedFile();
  const key = consumeKey();
  return key === undefined ? undefined : fetchTranscript(key);
}

/** The file that was dropped on the app's home page. */
async function droppedFile(): Promise<Source | undefined> {
  const file = await handedFile();
  return file === undefined
    ? undefined
    : { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Moves the key from the address bar to `sessionStorage`: out of histories and screenshots, but available after a reload. */
function consumeKey(): string | undefined {
  const [, key] = /^#key=(\S+)$/.exec(location.hash) ?? [];
  if (key === undefined) return sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.setItem(KEY, key);
  history.replaceState(null, "", location.pathname);
  return key;
}

async function fetchTranscript(key: string): Promise<Source> {
  const response = await fetch("/view/transcript", { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) {
    throw new Error(
      response.status === 401
        ? viewerTexts.failure.linkExpired
        : viewerTexts.failure.notLoaded(response.status),
    );
  }
  return openEnvelope(new Uint8Array(await response.arrayBuffer()));
}
