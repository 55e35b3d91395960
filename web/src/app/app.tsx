import { mount } from "../theme/mount.js";

function App() {
  return <main>Dragoman</main>;
}

mount(<App />);
