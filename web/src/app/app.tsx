import { mount } from "../theme/mount.js";
import { startApp } from "./browser-world.js";
import { Shell } from "./shell.js";

mount(<Shell app={startApp()} />);
