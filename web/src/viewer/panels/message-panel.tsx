import { useEffect, useState } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { CopyButton } from "../../theme/copy-button.js";
import { LongText } from "../../transcript/long-text.js";
import { visible } from "../../transcript/visible-text.js";
import { formatJson } from "../model/format-json.js";
import type { OpenTranscript, Selection } from "../model/open-transcript.js";
import type { SourceText as FileText } from "../work/load.js";
import { JsonView } from "./json-view.js";

interface MessagePanelProps {
  transcript: OpenTranscript;
  selected: Selection | undefined;
}

/** As in the file, the same over several lines, and as in Dragoman's model. */
const forms = ["source", "formatted", "canonical"] as const;
type Form = (typeof forms)[number];

/** The selected message as JSON. */
export function MessagePanel({ transcript, selected }: MessagePanelProps) {
  const [form, setForm] = useState<Form>("source");
  if (selected === undefined) {
    return <p className="viewer-quiet viewer-summary">{viewerTexts.json.choose}</p>;
  }
  if (selected.kind === "unread") return <UnreadText transcript={transcript} index={selected.index} />;
  const entry = transcript.loaded.entries[selected.index];
  if (entry === undefined) return null;
  return (
    <>
      <fieldset className="viewer-panel-head viewer-segmented" aria-label={viewerTexts.json.label}>
        {forms.map((name) => (
          <button key={name} type="button" aria-pressed={form === name} onClick={() => setForm(name)}>
            {viewerTexts.json[name]}
          </button>
        ))}
      </fieldset>
      {form === "source" || form === "formatted" ? (
        <SourceText transcript={transcript} index={selected.index} isFormatted={form === "formatted"} />
      ) : (
        <FoldedJson text={JSON.stringify(entry.message, null, 2)} />
      )}
    </>
  );
}

interface SourceTextProps {
  transcript: OpenTranscript;
  index: number;
  isFormatted: boolean;
}

function SourceText({ transcript, index, isFormatted }: SourceTextProps) {
  const [found, setFound] = useState<{ index: number; source: FileText | undefined }>();
  useEffect(() => {
    let isCurrent = true;
    void transcript.sourceOf(index).then((source) => {
      if (isCurrent) setFound({ index, source });
    });
    return () => {
      isCurrent = false;
    };
  }, [transcript, index]);
  if (found?.index !== index) return null;
  const { source } = found;
  if (source === undefined) {
    return <p className="viewer-quiet viewer-summary">{viewerTexts.json.assembled}</p>;
  }
  return (
    <>
      <p className="viewer-quiet viewer-summary">{viewerTexts.place(source.line, source.column)}</p>
      {isFormatted ? <FoldedJson text={formatJson(source.text)} /> : <JsonText text={source.text} />}
    </>
  );
}

function UnreadText({ transcript, index }: { transcript: OpenTranscript; index: number }) {
  const unread = transcript.loaded.unread[index];
  if (unread === undefined) return null;
  return (
    <>
      <p role="alert" className="viewer-trouble">
        {viewerTexts.json.unread(unread.line, visible(unread.message))}
      </p>
      <JsonText text={unread.text} />
    </>
  );
}

/** The key unfolds another text. */
function FoldedJson({ text }: { text: string }) {
  return <JsonView key={text} text={text} />;
}

/** The key resets the text to its first part. */
function JsonText({ text }: { text: string }) {
  return (
    <div className="viewer-json">
      <CopyButton text={() => text} />
      <LongText key={text} text={text} />
    </div>
  );
}
