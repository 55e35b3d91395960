export { type BuiltinToolsOptions, builtinTools } from "./builtin.js";
export type { EditDetails, EditLimits } from "./edit.js";
export { withoutSecrets } from "./environment.js";
export type { ExecDetails, ExecOptions } from "./exec.js";
export type { ReadDetails, ReadLimits } from "./read.js";
export type { SandboxOptions } from "./sandbox.js";
export type { WriteDetails } from "./write.js";
