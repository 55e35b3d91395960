import type { Page } from "playwright-core";
import { viewer as viewerDe } from "../../../web/src/text/de/viewer.js";
import { de } from "../../../web/src/text/de.js";
import { type ViewerTexts, viewer as viewerEn } from "../../../web/src/text/en/viewer.js";
import { en, type Texts } from "../../../web/src/text/en.js";

/** Where the pages are, and in which language. */
export interface Stage {
  /** The gateway, without a token. */
  app: string;
  /** The gateway, with a token. */
  link: string;
  /** A transcript for the viewer. */
  file: string;
  texts: Texts & { viewer: ViewerTexts };
}

/** Brings a page to what is to be looked at. It may be on any page of the app before, but no dialog is open. */
export type Screen = (page: Page, stage: Stage) => Promise<void>;

export const catalogues: Record<"en" | "de", Stage["texts"]> = {
  en: { ...en, viewer: viewerEn },
  de: { ...de, viewer: viewerDe },
};

/** A text with a value somewhere in it, such as “Menu for …”. */
export function startingWith(text: (value: string) => string): RegExp {
  const [start = "", end = ""] = text("\n").split("\n");
  const quoted = [start, end].map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${quoted.join("[^]*")}$`);
}
