import { DragomanError, type Loss } from "dragoman/core";
import { useState } from "react";
import { download } from "../../theme/download.js";
import { count } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { DialectSelect } from "../dialect-select.js";
import type { Conversion, OpenTranscript } from "../model/open-transcript.js";
import { isStandalone, standalonePage } from "../model/source.js";
import { fileName, stemOf, type Translated } from "../model/translate.js";
import { FindingList } from "./finding-list.js";

interface ConvertPanelProps {
  transcript: OpenTranscript;
  conversion: Conversion | undefined;
}

/** Converts the transcript: lists the losses and offers the file. */
export function ConvertPanel({ transcript, conversion }: ConvertPanelProps) {
  const [escrow, setEscrow] = useState(false);
  const choose = (to: string, keep: boolean) => {
    if (to !== "") void transcript.convert(to, keep);
  };
  return (
    <>
      <div className="viewer-panel-head">
        <DialectSelect
          label="Convert to"
          value={conversion?.to ?? ""}
          ability="writes"
          empty="choose a dialect"
          onChange={(to) => choose(to, escrow)}
        />
        <label className="viewer-check">
          <input
            type="checkbox"
            checked={escrow}
            onChange={({ target }) => {
              setEscrow(target.checked);
              choose(conversion?.to ?? "", target.checked);
            }}
          />
          Keep unsupported data in the file (escrow)
        </label>
      </div>
      {conversion === undefined ? null : <Outcome transcript={transcript} conversion={conversion} />}
      {isStandalone() ? null : <SavePage transcript={transcript} />}
    </>
  );
}

function Outcome({ transcript, conversion: { to, result } }: ConvertPanelProps & { conversion: Conversion }) {
  if (result === undefined) {
    return (
      <p role="status" className="viewer-quiet viewer-summary">
        Converting…
      </p>
    );
  }
  if (result instanceof DragomanError) {
    return (
      <div role="alert" className="viewer-trouble">
        <p>
          {result.line === undefined ? "" : `Line ${result.line}: `}
          {visible(result.message)}
        </p>
        <p>
          {result.code === "convert/one-way"
            ? visible(result.hint ?? "")
            : "`dragoman repair` fixes what it can in an unreadable file."}
        </p>
      </div>
    );
  }
  const save = async () => {
    const pieces = result.pieces.map((piece) => new Uint8Array(piece));
    download(await fileName(transcript.source.name, to), new Blob(pieces));
  };
  return (
    <>
      <p role="status" className="viewer-quiet viewer-summary">
        {summaryOf(result)}
      </p>
      <button type="button" className="button-primary" onClick={() => void save()}>
        Download
      </button>
      <FindingList label="Losses" findings={result.losses} onChoose={(loss) => transcript.goToPlace(loss)}>
        {(loss) => <LossText loss={loss} />}
      </FindingList>
    </>
  );
}

function LossText({ loss: { severity, at, what, why } }: { loss: Loss }) {
  return (
    <>
      <span className="viewer-finding-head">
        <span className="viewer-severity" data-severity={severity}>
          {severity}
        </span>
        <code>{at === "" ? "/" : visible(at)}</code>
      </span>
      <span>{visible(what)}</span>
      <span className="viewer-quiet">{visible(why)}</span>
    </>
  );
}

function SavePage({ transcript: { source, loaded } }: { transcript: OpenTranscript }) {
  const [trouble, setTrouble] = useState<string>();
  const save = async () => {
    try {
      const page = await standalonePage({ ...source, from: loaded.dialect });
      download(`${stemOf(source.name)}.html`, page);
      setTrouble(undefined);
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className="viewer-page-export">
      <h2>Self-contained page</h2>
      <p className="viewer-quiet">This viewer and the transcript in one HTML file that needs no server.</p>
      <button type="button" className="button" onClick={() => void save()}>
        Download as HTML
      </button>
      {trouble === undefined ? null : (
        <p role="alert" className="viewer-trouble">
          {trouble}
        </p>
      )}
    </div>
  );
}

function summaryOf({ counts, losses }: Translated): string {
  const { dropped, approximated, synthesised } = counts;
  const total = dropped + approximated + synthesised;
  if (total === 0) return "No losses.";
  const summary = `${count(dropped)} dropped, ${count(approximated)} approximated, ${count(synthesised)} synthesised`;
  return total > losses.length ? `${summary}; the first ${count(losses.length)} are listed` : summary;
}
