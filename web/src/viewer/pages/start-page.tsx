import { type DragEvent, useState } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import type { Source } from "../model/envelope.js";
import { AppLink } from "./app-link.js";

interface StartPageProps {
  trouble: string | undefined;
  onOpen: (source: Source) => Promise<void>;
}

/** Lets the user drop or choose a file, which never leaves the browser. */
export function StartPage({ trouble, onOpen }: StartPageProps) {
  const [over, setOver] = useState(false);
  const openFirst = async (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined) return;
    await onOpen({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void openFirst(event.dataTransfer.files);
  };
  return (
    <main className="viewer-start">
      <AppLink />
      <h1>{viewerTexts.start.title}</h1>
      {trouble === undefined ? null : (
        <p role="alert" className="viewer-trouble">
          {trouble}
        </p>
      )}
      <label
        className="viewer-drop"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <span className="viewer-drop-title">{viewerTexts.start.drop}</span>
        <span className="viewer-quiet">{viewerTexts.start.dialects}</span>
        <input
          type="file"
          className="visually-hidden"
          onChange={({ target }) => void openFirst(target.files)}
        />
      </label>
      <p className="viewer-quiet">{viewerTexts.start.stays}</p>
    </main>
  );
}
