import { envelopeHead, openEnvelope, type Source } from "./envelope.js";

/** The transcript embedded in this page. */
export async function embeddedSource(): Promise<Source> {
  const bytes = Uint8Array.from(atob(embedded()), (character) => character.charCodeAt(0));
  return openEnvelope(await unzipped(bytes));
}

/** Whether a transcript is embedded in this page. */
export function isStandalone(): boolean {
  return embedded() !== "";
}

function embedded(): string {
  return document.getElementById("transcript")?.textContent ?? "";
}

/** A self-contained page with the viewer and this transcript. */
export async function standalonePage(source: Source): Promise<Blob> {
  const response = await fetch("/view/page");
  if (!response.ok) throw new Error(`Could not load the page (${response.status}).`);
  const page = await response.text();
  const place = '<script type="text/plain" id="transcript">';
  const at = page.indexOf(place) + place.length;
  const envelope = new Blob([envelopeHead(source), new Uint8Array(source.bytes)]);
  const zipped = new Response(envelope.stream().pipeThrough(new CompressionStream("gzip")));
  return new Blob([page.slice(0, at), await toBase64(await zipped.blob()), page.slice(at)]);
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
