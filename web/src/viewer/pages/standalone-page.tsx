import { embeddedSource, ownScript } from "../model/source.js";
import { showViewer } from "../viewer.js";
import { serveJobs } from "../work/worker-jobs.js";

/** The page's script is also its worker's. */
if (typeof document === "undefined") serveJobs();
else void showViewer(embeddedSource, startWorker);

function startWorker(): Worker {
  const url = URL.createObjectURL(new Blob([ownScript()], { type: "text/javascript" }));
  return new Worker(url);
}
