import { openEnvelope, type Source } from "./envelope.js";

const KEY = "dragoman.view.key";

/** What a page of a server was opened for: a session, or what the link's key opens; undefined if somebody has yet to choose. */
export async function servedSource(): Promise<Source | undefined> {
  const [, session] = /^#session=(\S+)$/.exec(location.hash) ?? [];
  if (session !== undefined) {
    const { fetchSession } = await import("./gateway-session.js");
    return fetchSession(decodeURIComponent(session));
  }
  const key = takeKey();
  return key === undefined ? undefined : fetchTranscript(key);
}

/** The key leaves the address bar, and so histories and screenshots. A reload finds it where only this tab looks. */
function takeKey(): string | undefined {
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
        ? "This link is no longer good. Use the one that `dragoman view` has printed."
        : `The transcript was not handed over (${response.status}).`,
    );
  }
  return openEnvelope(new Uint8Array(await response.arrayBuffer()));
}
