import { browserSettings } from "./en/browser-settings.js";
import { controls } from "./en/controls.js";

export const en = { browserSettings, controls };

/** What every language has. A missing or an additional text is a type error. */
export type Texts = typeof en;
