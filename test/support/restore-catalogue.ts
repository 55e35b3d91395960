import { afterAll } from "vitest";
import { catalogue } from "../../src/providers/catalogue-data.js";

// A configuration with prices changes the catalogue of the whole process, which other test files share.
const cards = { ...catalogue };

afterAll(() => {
  for (const name of Object.keys(catalogue)) delete catalogue[name];
  Object.assign(catalogue, cards);
});
