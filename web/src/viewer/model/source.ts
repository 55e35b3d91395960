import { envelopeHead, openEnvelope, type Source } from "./envelope.js";

/** The transcript embedded in this page. */
export async function embeddedSource(): Promise<Source> {
  return openEnvelope(await unzipped(fromBase64(embedded())));
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
  const envelope = new Blob([envelopeHead(source), bytesOf(source)]);
  return new Blob([page.slice(0, at), await toBase64(await zipped(envelope)), page.slice(at)], {
    type: "text/html",
  });
}

function bytesOf({ bytes }: Source): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

async function zipped(blob: Blob): Promise<Blob> {
  return new Response(blob.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

async function unzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Hands a file to whoever looks at the page. */
export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
