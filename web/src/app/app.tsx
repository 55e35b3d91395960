import { loadTexts } from "../text/texts.js";
import { mount } from "../theme/mount.js";
import { startApp } from "./browser-world.js";
import { Shell } from "./shell.js";

await loadTexts();
mount(<Shell app={startApp()} />);
