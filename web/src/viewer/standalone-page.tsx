import { embeddedSource } from "./source.js";
import { showViewer } from "./viewer.js";

showViewer(embeddedSource);
