import { afterAll } from "vitest";
import { catalogue } from "../../src/providers/catalogue-data.js";

// Test files share a process. A configuration with prices changes its catalogue, and bundling a page sets NODE_ENV.
const cards = { ...catalogue };
const env = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(catalogue)) delete catalogue[name];
  Object.assign(catalogue, cards);
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
});
