import type { PublicPage } from "../types.js";
import { webAsset, webPage } from "./files.js";

/** The web app: its pages, and what they load. */
export const webPages: readonly PublicPage[] = [
  { path: "/", reply: ({ headers }) => webPage("index.html", headers) },
  { path: "/view", reply: ({ headers }) => webPage("view.html", headers) },
  // What the viewer makes a page of its own from, with a transcript in it.
  { path: "/view/page", reply: ({ headers }) => webPage("standalone.html", headers) },
  { path: "/assets/:name", reply: ({ params, headers }) => webAsset(params["name"] ?? "", headers) },
];
