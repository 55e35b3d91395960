import { mount } from "../theme/mount.js";

function Viewer() {
  return <main>Dragoman</main>;
}

mount(<Viewer />);
