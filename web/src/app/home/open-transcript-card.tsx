import { useState } from "react";
import { HANDED, handFile } from "../../gateway/handed-file.js";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { useConnected } from "../app-context.js";

/** Opens a transcript of any program in the viewer: dropped here, or chosen. */
export function OpenTranscriptCard() {
  const { app } = useConnected();
  const [isOver, setOver] = useState(false);
  const show = (files: FileList | null) =>
    void app.attempt(async () => {
      const file = files?.[0];
      if (file === undefined) return;
      await handFile(file);
      location.assign(`/view${HANDED}`);
    });
  return (
    <section className="home-card" aria-labelledby="home-transcript">
      <h2 id="home-transcript">{texts.home.openTranscript}</h2>
      <label
        className="home-drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          show(event.dataTransfer.files);
        }}
      >
        <Icon name="view" />
        <span>{texts.home.dropHere}</span>
        <input
          type="file"
          className="visually-hidden"
          aria-label={texts.home.transcriptFile}
          onChange={({ target }) => show(target.files)}
        />
      </label>
    </section>
  );
}
