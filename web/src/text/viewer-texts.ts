import { viewer as en, type ViewerTexts } from "./en/viewer.js";
import type { LanguageName } from "./languages.js";
import { loadTexts } from "./texts.js";

/** The texts of the viewer by language, apart from the others, so that the app does not load them. */
export const viewerLanguages: Record<LanguageName, () => ViewerTexts | Promise<ViewerTexts>> = {
  en: () => en,
  de: async () => (await import("./de/viewer.js")).viewer,
};

/** Every text of the viewer, in the reader's language. Read it inside functions, as `texts`. */
export let viewerTexts: ViewerTexts = en;

/** Loads the reader's language for the viewer. Call it before the page is rendered. */
export async function loadViewerTexts(): Promise<void> {
  viewerTexts = await viewerLanguages[await loadTexts()]();
}
