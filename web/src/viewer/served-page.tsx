import { servedSource } from "./served-source.js";
import { showViewer } from "./viewer.js";

showViewer(servedSource);
