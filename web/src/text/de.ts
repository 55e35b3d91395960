import { browserSettings } from "./de/browser-settings.js";
import { chat } from "./de/chat.js";
import { controls } from "./de/controls.js";
import { home } from "./de/home.js";
import { search } from "./de/search.js";
import { settings } from "./de/settings.js";
import { shell } from "./de/shell.js";
import { sideBar } from "./de/side-bar.js";
import { transcript } from "./de/transcript.js";
import { usage } from "./de/usage.js";
import type { Texts } from "./en.js";

export const de: Texts = {
  browserSettings,
  chat,
  controls,
  home,
  search,
  settings,
  shell,
  sideBar,
  transcript,
  usage,
};
