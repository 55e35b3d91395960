import { viewerTexts } from "../../text/viewer-texts.js";
import { envelopeHead, openEnvelope, type Source } from "./envelope.js";
import { filled, pageHtml } from "./page-html.js";

/** The transcript embedded in this page; undefined if there is none. */
export async function embeddedSource(): Promise<Source | undefined> {
  const text = place()?.textContent ?? "";
  if (text === "") return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return openEnvelope(await unzipped(bytes));
}

/** The script of this self-contained page. */
export function ownScript(): string {
  return document.querySelector('script[type="module"]')?.textContent ?? "";
}

/** Where a self-contained page has its transcript. */
function place(): HTMLElement | null {
  return document.getElementById("transcript");
}

/** A self-contained page with the viewer, this transcript, and its text for readers without scripts. */
export async function standalonePage(source: Source, text: readonly string[]): Promise<Blob> {
  const page = place() === null ? await fetchedPage() : ownPage();
  const envelope = new Blob([envelopeHead(source), new Uint8Array(source.bytes)]);
  const zipped = new Response(envelope.stream().pipeThrough(new CompressionStream("gzip")));
  return new Blob(filled(page, text, await toBase64(await zipped.blob())));
}

async function fetchedPage(): Promise<string> {
  const response = await fetch("/view/page");
  if (!response.ok) throw new Error(viewerTexts.convert.noPage(response.status));
  return response.text();
}

/** A self-contained page loads nothing, so it is made again from what it consists of. */
function ownPage(): string {
  const attribute = (selector: string, name: string) =>
    document.querySelector(selector)?.getAttribute(name) ?? "";
  return pageHtml({
    policy: attribute('meta[http-equiv="Content-Security-Policy"]', "content"),
    icon: attribute('link[rel="icon"]', "href"),
    style: document.querySelector("style")?.textContent ?? "",
    script: ownScript(),
  });
}

async function unzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
