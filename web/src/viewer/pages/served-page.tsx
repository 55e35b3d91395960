import { servedSource } from "../model/served-source.js";
import { showViewer } from "../viewer.js";
import { serveJobs } from "../work/worker-jobs.js";

/** The page's script is also its worker's. */
if (typeof document === "undefined") serveJobs();
else void showViewer(servedSource, () => new Worker(import.meta.url, { type: "module" }));
