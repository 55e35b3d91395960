import { guards } from "../core/validate.js";
import * as generated from "./generated/validators.js";

/** The checks of what platforms say, and of what is said to them. */
export const native = guards(generated);
