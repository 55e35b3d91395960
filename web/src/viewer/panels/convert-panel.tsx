import { DragomanError } from "dragoman/core";
import { useEffect, useState } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { download } from "../../theme/download.js";
import { count } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { DialectSelect } from "../dialect-select.js";
import { fileName, stemOf } from "../model/file-name.js";
import type { Comparison, Conversion, OpenTranscript } from "../model/open-transcript.js";
import { standalonePage } from "../model/source.js";
import type { Translated } from "../work/translate.js";
import { LossGroups } from "./loss-groups.js";
import { TargetsTable } from "./targets-table.js";

interface ConvertPanelProps {
  transcript: OpenTranscript;
  conversion: Conversion | undefined;
  comparison: Comparison | undefined;
}

/** A larger file takes a while to compare, so the reader asks for it. */
const QUICK_BYTES = 1_000_000;

/** Converts the transcript: lists the losses and offers the file. */
export function ConvertPanel({ transcript, conversion, comparison }: ConvertPanelProps) {
  const [escrow, setEscrow] = useState(false);
  const choose = (to: string, keep: boolean) => {
    if (to !== "") void transcript.convert(to, keep);
  };
  return (
    <>
      <div className="viewer-panel-head">
        <DialectSelect
          label={viewerTexts.convert.to}
          value={conversion?.to ?? ""}
          ability="writes"
          empty={viewerTexts.convert.choose}
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
          {viewerTexts.convert.escrow}
        </label>
      </div>
      {conversion === undefined ? null : <Outcome transcript={transcript} conversion={conversion} />}
      <section className="viewer-section" aria-labelledby="targets-title">
        <h2 id="targets-title">{viewerTexts.targets.title}</h2>
        {comparison === undefined ? (
          <Compare transcript={transcript} />
        ) : (
          <TargetsTable comparison={comparison} onChoose={(to) => choose(to, escrow)} />
        )}
      </section>
      <SavePage transcript={transcript} />
    </>
  );
}

/** Compares a small file at once, and a large one when the reader asks for it. */
function Compare({ transcript }: { transcript: OpenTranscript }) {
  const isQuick = transcript.source.bytes.length < QUICK_BYTES;
  useEffect(() => {
    if (isQuick) void transcript.compare();
  }, [transcript, isQuick]);
  if (isQuick) return null;
  return (
    <>
      <p className="viewer-quiet">{viewerTexts.targets.about}</p>
      <button type="button" className="button" onClick={() => void transcript.compare()}>
        {viewerTexts.targets.compare}
      </button>
    </>
  );
}

interface OutcomeProps {
  transcript: OpenTranscript;
  conversion: Conversion;
}

function Outcome({ transcript, conversion: { to, result } }: OutcomeProps) {
  if (result === undefined) {
    return (
      <p role="status" className="viewer-quiet viewer-summary">
        {viewerTexts.convert.converting}
      </p>
    );
  }
  if (result instanceof DragomanError) {
    return (
      <div role="alert" className="viewer-trouble">
        <p>
          {result.line === undefined ? "" : `${viewerTexts.place(result.line, result.column ?? 1)}: `}
          {visible(result.message)}
        </p>
        <p>{result.code === "convert/one-way" ? visible(result.hint ?? "") : viewerTexts.convert.repair}</p>
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
        {viewerTexts.convert.download}
      </button>
      <LossGroups key={to} groups={result.groups} onChoose={(loss) => transcript.goToPlace(loss)} />
    </>
  );
}

function SavePage({ transcript }: { transcript: OpenTranscript }) {
  const { source, loaded } = transcript;
  const [trouble, setTrouble] = useState<string>();
  const save = async () => {
    try {
      const page = await standalonePage({ ...source, from: loaded.dialect }, await transcript.readableText());
      download(`${stemOf(source.name)}.html`, page);
      setTrouble(undefined);
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section className="viewer-section" aria-labelledby="page-title">
      <h2 id="page-title">{viewerTexts.convert.page}</h2>
      <p className="viewer-quiet">{viewerTexts.convert.aboutPage}</p>
      <button type="button" className="button" onClick={() => void save()}>
        {viewerTexts.convert.downloadPage}
      </button>
      {trouble === undefined ? null : (
        <p role="alert" className="viewer-trouble">
          {trouble}
        </p>
      )}
    </section>
  );
}

function summaryOf({ counts, total }: Translated): string {
  const { dropped, approximated, synthesised } = counts;
  if (total === 0) return viewerTexts.losses.none;
  return viewerTexts.losses.counts(count(dropped), count(approximated), count(synthesised));
}
