import { browserSettings } from "./en/browser-settings.js";
import { chat } from "./en/chat.js";
import { controls } from "./en/controls.js";
import { home } from "./en/home.js";
import { search } from "./en/search.js";
import { sessions } from "./en/sessions.js";
import { settings } from "./en/settings.js";
import { share } from "./en/share.js";
import { shell } from "./en/shell.js";
import { sideBar } from "./en/side-bar.js";
import { transcript } from "./en/transcript.js";
import { transfer } from "./en/transfer.js";
import { usage } from "./en/usage.js";

export const en = {
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

/** What every language has. A missing or an additional text is a type error. */
export type Texts = typeof en;
