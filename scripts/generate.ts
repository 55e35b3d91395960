import { mkdir, rm, writeFile } from "node:fs/promises";
import type { TSchema } from "@sinclair/typebox";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { allSchemas } from "../src/core/schema/index.js";
import { runtimeSchemas } from "../src/runtime/schema.js";

/** Schemas whose validators are generated into one folder. */
interface Family {
  folder: string;
  /** The module, seen from the generated code, that exports a type for each schema. */
  types: string;
  schemas: TSchema[];
}

const families: Family[] = [
  { folder: "src/core", types: "../types.js", schemas: allSchemas },
  { folder: "src/runtime", types: "../schema.js", schemas: runtimeSchemas },
];

/** Validators as plain code: a schema library costs more to import than everything else together. */
function validatorCode({ folder, types, schemas }: Family): { code: string; declarations: string } {
  const ajv = new Ajv2020({
    schemas,
    discriminator: true,
    allErrors: true,
    messages: false,
    inlineRefs: false,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    code: { source: true, esm: true, lines: false },
  });
  const names = schemas.map((schema) => [schema["title"] as string, schema.$id as string] as const);
  const code = standaloneCode.default(ajv, Object.fromEntries(names));
  const validate = folder === "src/core" ? "../validate.js" : "../../core/validate.js";
  const declarations = [
    `import type * as model from "${types}";`,
    `import type { Validator } from "${validate}";`,
    ...names.map(([name]) => `export const ${name}: Validator<model.${name}>;`),
    "",
  ].join("\n");
  return { code, declarations };
}

/** The published form of a schema. */
function schemaFile(schema: TSchema): string {
  return `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }, null, 2)}\n`;
}

/** Writes the validators into the source tree and the schemas beside it. Returns the folders of generated code. */
export async function generate(root: string): Promise<string[]> {
  const published = `${root}schemas`;
  await rm(published, { recursive: true, force: true });
  await mkdir(published);
  for (const family of families) {
    const generated = `${root}${family.folder}/generated`;
    await mkdir(generated, { recursive: true });
    const { code, declarations } = validatorCode(family);
    await writeFile(`${generated}/validators.js`, code);
    await writeFile(`${generated}/validators.d.ts`, declarations);
    for (const schema of family.schemas) await writeFile(`${published}/${schema.$id}`, schemaFile(schema));
  }
  return families.map(({ folder }) => `${folder}/generated`);
}
