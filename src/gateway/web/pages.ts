import type { PublicPage } from "../types.js";
import { webAsset, webPage } from "./files.js";

/** The web app's pages, and the files they load. */
export const webPages: readonly PublicPage[] = [
  { path: "/", reply: ({ headers }) => webPage("index.html", headers) },
  { path: "/view", reply: ({ headers }) => webPage("view.html", headers) },
  // The template that the viewer fills with a transcript to make a standalone page.
  { path: "/view/page", reply: ({ headers }) => webPage("standalone.html", headers) },
  { path: "/assets/:name", reply: ({ params, headers }) => webAsset(params["name"] ?? "", headers) },
];
