import type { PublicPage } from "../types.js";
import { webAsset, webPage } from "./files.js";

/** The web app: its two pages, and what they load. */
export const webPages: readonly PublicPage[] = [
  { path: "/", reply: ({ headers }) => webPage("index.html", headers) },
  { path: "/view", reply: ({ headers }) => webPage("view.html", headers) },
  { path: "/assets/:name", reply: ({ params, headers }) => webAsset(params["name"] ?? "", headers) },
];
