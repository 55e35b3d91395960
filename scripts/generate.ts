import { mkdir, rm, writeFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { allSchemas } from "../src/core/schema/index.js";

/** Validators as plain code: a schema library costs more to import than everything else together. */
function validatorCode(): { code: string; types: string } {
  const ajv = new Ajv2020({
    schemas: allSchemas,
    discriminator: true,
    allErrors: true,
    messages: false,
    inlineRefs: false,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    code: { source: true, esm: true, lines: false },
  });
  const names = allSchemas.map((schema) => [schema["title"] as string, schema.$id as string] as const);
  const code = standaloneCode.default(ajv, Object.fromEntries(names));
  const types = [
    'import type * as model from "../types.js";',
    'import type { Validator } from "../validate.js";',
    ...names.map(([name]) => `export const ${name}: Validator<model.${name}>;`),
    "",
  ].join("\n");
  return { code, types };
}

/** The published form of every schema, by file name. */
function schemaFiles(): Map<string, string> {
  return new Map(
    allSchemas.map((schema) => [
      schema.$id as string,
      `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }, null, 2)}\n`,
    ]),
  );
}

/** Writes the validators into the source tree and the schemas beside it. */
export async function generate(root: string): Promise<void> {
  const generated = `${root}src/core/generated`;
  await mkdir(generated, { recursive: true });
  const { code, types } = validatorCode();
  await writeFile(`${generated}/validators.js`, code);
  await writeFile(`${generated}/validators.d.ts`, types);

  const schemas = `${root}schemas`;
  await rm(schemas, { recursive: true, force: true });
  await mkdir(schemas);
  for (const [name, text] of schemaFiles()) await writeFile(`${schemas}/${name}`, text);
}
