import { browserSettings } from "./de/browser-settings.js";
import { chat } from "./de/chat.js";
import { controls } from "./de/controls.js";
import { home } from "./de/home.js";
import { search } from "./de/search.js";
import { sessions } from "./de/sessions.js";
import { settings } from "./de/settings.js";
import { share } from "./de/share.js";
import { shell } from "./de/shell.js";
import { sideBar } from "./de/side-bar.js";
import { transcript } from "./de/transcript.js";
import { transfer } from "./de/transfer.js";
import { usage } from "./de/usage.js";
import type { Texts } from "./en.js";

export const de: Texts = {
  browserSettings,
  chat,
  controls,
  home,
  search,
  sessions,
  settings,
  share,
  shell,
  sideBar,
  transcript,
  transfer,
  usage,
};
