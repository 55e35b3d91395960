import { sourceOf } from "dragoman/convert";
import { useState } from "react";
import { CopyButton } from "../../theme/copy-button.js";
import { LongText } from "../../transcript/long-text.js";
import { visible } from "../../transcript/visible-text.js";
import type { OpenTranscript, Selection } from "../model/open-transcript.js";

interface MessagePanelProps {
  transcript: OpenTranscript;
  selected: Selection | undefined;
}

/** The JSON of what is selected: as it stands in the file, and as the model has it. */
export function MessagePanel({ transcript, selected }: MessagePanelProps) {
  const [form, setForm] = useState<"source" | "canonical">("source");
  if (selected === undefined) {
    return <p className="viewer-quiet viewer-summary">Choose a message to see its JSON.</p>;
  }
  if (selected.kind === "unread") return <UnreadText transcript={transcript} index={selected.index} />;
  const entry = transcript.loaded.entries[selected.index];
  if (entry === undefined) return null;
  return (
    <>
      <fieldset className="viewer-panel-head viewer-segmented" aria-label="Which JSON">
        {(["source", "canonical"] as const).map((name) => (
          <button key={name} type="button" aria-pressed={form === name} onClick={() => setForm(name)}>
            {name === "source" ? "In the file" : "In the model"}
          </button>
        ))}
      </fieldset>
      {form === "source" ? (
        <SourceText entry={entry} />
      ) : (
        <JsonText text={JSON.stringify(entry.message, null, 2)} />
      )}
    </>
  );
}

function SourceText({ entry }: { entry: OpenTranscript["loaded"]["entries"][number] }) {
  const source = sourceOf(entry);
  if (source === undefined) {
    return (
      <p className="viewer-quiet viewer-summary">
        It was put together from the pieces of a recorded stream, and stands nowhere as a whole.
      </p>
    );
  }
  return (
    <>
      <p className="viewer-quiet viewer-summary">
        line {source.line}, column {source.column}
      </p>
      <JsonText text={source.text} />
    </>
  );
}

function UnreadText({ transcript, index }: { transcript: OpenTranscript; index: number }) {
  const unread = transcript.loaded.unread[index];
  if (unread === undefined) return null;
  return (
    <>
      <p role="alert" className="viewer-trouble">
        line {unread.line}: {visible(unread.error.message)}
      </p>
      <JsonText text={unread.text} />
    </>
  );
}

/** Made anew for each text, so that each begins with its beginning. */
function JsonText({ text }: { text: string }) {
  return (
    <div className="viewer-json">
      <CopyButton text={() => text} />
      <LongText key={text} text={text} />
    </div>
  );
}
