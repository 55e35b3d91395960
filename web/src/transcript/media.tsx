import type { AudioContent, FileContent, ImageContent } from "dragoman/core";
import { texts } from "../text/texts.js";
import { download } from "../theme/download.js";
import { dataImage, safeLink } from "./markdown/safe-url.js";
import { byteSize } from "./numbers.js";
import { Picture } from "./picture.js";
import { visible } from "./visible-text.js";

type MediaBlock = ImageContent | AudioContent | FileContent;

/** An embedded image is shown, and opens in full size; everything else is a chip that saves the file or links to it. */
export function Media({ block }: { block: MediaBlock }) {
  const title = visible(block.name ?? texts.transcript.media[block.type]);
  if (block.data === undefined) return <LinkedMedia title={title} kind={block.type} url={block.url} />;
  const { data, mimeType } = block;
  const file = (block.name ?? block.type).replaceAll(/[^\w. -]/g, "_");
  const save = () => download(file, bytesOf(data));
  const chip = (
    <button type="button" className="media-chip" onClick={save}>
      <span className="media-kind">{texts.transcript.media[block.type]}</span>
      <span className="media-name one-line">{title}</span>
      <span className="media-size one-line">
        {[visible(mimeType), byteSize(Math.floor((data.length * 3) / 4)), texts.transcript.media.save].join(
          " · ",
        )}
      </span>
    </button>
  );
  const src = block.type === "image" ? dataImage(mimeType, data) : undefined;
  return src === undefined ? chip : <Picture src={src} title={title} fallback={chip} onSave={save} />;
}

function LinkedMedia({ title, kind, url }: { title: string; kind: MediaBlock["type"]; url: string }) {
  const href = safeLink(url);
  const inside = (
    <>
      <span className="media-kind">{texts.transcript.media[kind]}</span>
      <span className="media-name one-line">{title}</span>
      <span className="media-size one-line" title={visible(url)}>
        {visible(url)}
      </span>
    </>
  );
  if (href === undefined) return <span className="media-chip">{inside}</span>;
  return (
    <a className="media-chip" href={href} target="_blank" rel="noopener noreferrer">
      {inside}
    </a>
  );
}

/** Invalid base64 is saved as text. */
function bytesOf(base64: string): string | Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return base64;
  }
}
