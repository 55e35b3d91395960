import { useState } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { chooseScheme, chosenScheme } from "../../theme/colour-scheme.js";
import { count, shortCount } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import type { Source } from "../model/envelope.js";
import type { OpenTranscript, View } from "../model/open-transcript.js";
import { AppLink } from "./app-link.js";
import { Facts } from "./facts.js";
import type { PanelName } from "./open-page.js";

interface PageHeaderProps {
  transcript: OpenTranscript;
  view: View;
  panel: PanelName | undefined;
  onPanel: (panel: PanelName | undefined) => void;
  onOpen: (source: Source) => Promise<void>;
  onHelp: () => void;
}

/** The file's name, its totals, and the panel buttons. */
export function PageHeader({ transcript, view, panel, onPanel, onOpen, onHelp }: PageHeaderProps) {
  const name = visible(transcript.source.name);
  const { segments } = transcript.tree;
  const { findings } = view.check;
  const found = findings === undefined ? "…" : shortCount(findings.counts.error + findings.counts.warning);
  const panels: { name: PanelName; badge?: string; tone?: string }[] = [
    { name: "outline" },
    {
      name: "problems",
      badge: found,
      tone: (findings?.counts.error ?? 0) > 0 ? "bad" : "warn",
    },
    ...(segments.length > 1 ? [{ name: "branches" as const, badge: count(endsOf(transcript)) }] : []),
    { name: "convert" },
    { name: "message" },
  ];
  return (
    <header className="viewer-header">
      <div className="viewer-title">
        <AppLink />
        <h1 className="one-line" title={name}>
          {name}
        </h1>
        <span className="viewer-chip">{transcript.loaded.title}</span>
      </div>
      <Facts totals={view.branch.totals} />
      <nav className="viewer-tabs" aria-label={viewerTexts.panels}>
        {panels.map(({ name, badge, tone }) => (
          <button
            key={name}
            type="button"
            className="viewer-tab"
            aria-expanded={panel === name}
            aria-controls={`panel-${name}`}
            onClick={() => onPanel(panel === name ? undefined : name)}
          >
            {viewerTexts.panelNames[name]}
            {badge === undefined || badge === "0" ? null : (
              <span className="viewer-badge" data-tone={tone}>
                {badge}
              </span>
            )}
          </button>
        ))}
        <label className="viewer-tab">
          {viewerTexts.open.button}
          <input
            type="file"
            className="visually-hidden"
            aria-label={viewerTexts.open.label}
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file === undefined) return;
              void file
                .arrayBuffer()
                .then((bytes) => onOpen({ name: file.name, bytes: new Uint8Array(bytes) }));
            }}
          />
        </label>
        <SchemeButton />
        <button
          type="button"
          className="viewer-tab"
          aria-label={viewerTexts.keys.title}
          title={viewerTexts.keys.button}
          onClick={onHelp}
        >
          ?
        </button>
      </nav>
    </header>
  );
}

const schemes = { system: "light", light: "dark", dark: "system" } as const;

/** Cycles through system, light and dark. */
function SchemeButton() {
  const [scheme, setScheme] = useState(chosenScheme);
  const next = () => {
    chooseScheme(schemes[scheme]);
    setScheme(schemes[scheme]);
  };
  return (
    <button
      type="button"
      className="viewer-tab"
      aria-label={viewerTexts.appearance[scheme]}
      title={viewerTexts.appearance[scheme]}
      onClick={next}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.4" />
        <path d={halves[scheme]} fill="currentColor" />
      </svg>
    </button>
  );
}

const halves = { system: "M8 2a6 6 0 0 1 0 12z", light: "", dark: "M8 2a6 6 0 0 1 0 12a6 6 0 0 1 0-12z" };

function endsOf({ tree }: OpenTranscript): number {
  return tree.segments.filter(({ children }) => children.length === 0).length;
}
