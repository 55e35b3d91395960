import { embeddedSource } from "../model/source.js";
import { showViewer } from "../viewer.js";

await showViewer(embeddedSource);
