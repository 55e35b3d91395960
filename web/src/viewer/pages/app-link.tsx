import { viewerTexts } from "../../text/viewer-texts.js";

/** Where the gateway serves the viewer beside the app. */
const SERVED_AT = "/view";

/** Back to the app, if there is one. */
export function AppLink() {
  if (location.pathname !== SERVED_AT) return null;
  return (
    <a className="viewer-app" href="/" title={viewerTexts.backToApp}>
      Dragoman
    </a>
  );
}
