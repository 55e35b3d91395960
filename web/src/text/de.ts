import { browserSettings } from "./de/browser-settings.js";
import { controls } from "./de/controls.js";
import { transcript } from "./de/transcript.js";
import { viewer } from "./de/viewer.js";
import type { Texts } from "./en.js";

export const de: Texts = { browserSettings, controls, transcript, viewer };
