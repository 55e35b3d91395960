import { browserSettings } from "./en/browser-settings.js";
import { controls } from "./en/controls.js";
import { transcript } from "./en/transcript.js";
import { viewer } from "./en/viewer.js";

export const en = { browserSettings, controls, transcript, viewer };

/** What every language has. A missing or an additional text is a type error. */
export type Texts = typeof en;
