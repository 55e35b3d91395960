import { guards } from "../../core/validate.js";
import * as generated from "./generated/validators.js";

/** Checks for what servers of OAuth send, by schema name. */
export const oauth = guards(generated);
