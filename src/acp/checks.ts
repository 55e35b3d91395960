import { guards } from "../core/validate.js";
import * as generated from "./generated/validators.js";

/** Checks for what the other side sends, by schema name. */
export const acp = guards(generated);
