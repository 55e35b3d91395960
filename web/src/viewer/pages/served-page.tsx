import { servedSource } from "../model/served-source.js";
import { showViewer } from "../viewer.js";

await showViewer(servedSource);
