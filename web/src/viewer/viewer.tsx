import { mount } from "../theme/mount.js";
import { loadTranscript } from "./load.js";
import { translate } from "./translate.js";

function Viewer() {
  return (
    <main
      onClick={() => {
        void loadTranscript(new Uint8Array(), undefined, async () => {});
        void translate(new Uint8Array(), { from: "pi", to: "cline" }, async () => {});
      }}
    >
      Dragoman
    </main>
  );
}

mount(<Viewer />);
