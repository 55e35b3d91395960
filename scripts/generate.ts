import { mkdir, rm, writeFile } from "node:fs/promises";
import type { TSchema } from "@sinclair/typebox";
import { Ajv2020 } from "ajv/dist/2020.js";
import { _, Name } from "ajv/dist/compile/codegen/index.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import * as acpWire from "../src/acp/wire.js";
import { channelNames } from "../src/channels/registry.js";
import { channelsSchema } from "../src/channels/settings.js";
import { allSchemas } from "../src/core/schema/index.js";
import { recordSchemas } from "../src/gateway/channels/record-schema.js";
import * as oauthWire from "../src/mcp/oauth/wire.js";
import * as mcpWire from "../src/mcp/wire.js";
import { methodSchemaNames, rpcSchemas, rpcType } from "../src/protocol/schema.js";
import { configSchema } from "../src/runtime/schema.js";
import { compactValidators } from "./compact-validators.js";

/** Schemas whose validators are generated into one folder. */
interface Family {
  folder: string;
  /** The module that exports a type for each schema, relative to the generated code. */
  types: string;
  schemas: TSchema[];
  /** The name of a schema's type in that module (default: the schema's name). */
  typeOf?(name: string): string;
  /** Describes internal files; not published. */
  isPrivate?: boolean;
}

/** What each channel declares in `settings.ts` and `wire.ts` of its folder. */
const channels = await Promise.all(
  channelNames.map(async (name) => {
    const { Settings }: { Settings: TSchema } = await import(`../src/channels/${name}/settings.ts`);
    const wire: Record<string, TSchema> = await import(`../src/channels/${name}/wire.ts`);
    return { name, Settings, wire: Object.values(wire).filter(({ $id }) => $id !== undefined) };
  }),
);
const settings = Object.fromEntries(channels.map(({ name, Settings }) => [name, Settings]));

const families: Family[] = [
  { folder: "src/core", types: "../types.js", schemas: allSchemas },
  { folder: "src/runtime", types: "../schema.js", schemas: [configSchema(channelsSchema(settings))] },
  ...channels.map(({ name, wire }) => ({
    folder: `src/channels/${name}`,
    types: "../wire.js",
    schemas: wire,
  })),
  { folder: "src/protocol", types: "../schema.js", schemas: rpcSchemas, typeOf: rpcType },
  { folder: "src/acp", types: "../wire.js", schemas: Object.values(acpWire), isPrivate: true },
  { folder: "src/mcp", types: "../wire.js", schemas: Object.values(mcpWire), isPrivate: true },
  { folder: "src/mcp/oauth", types: "../wire.js", schemas: Object.values(oauthWire), isPrivate: true },
  {
    folder: "src/gateway/channels",
    types: "../record-schema.js",
    schemas: recordSchemas,
    isPrivate: true,
  },
];

const model = new Map(allSchemas.map((schema) => [schema.$id, schema["title"]]));

/** References to the model become calls of the model's validators, so that these are generated and loaded once. */
function callingTheModel(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = model.get(value?.$ref);
    return name === undefined ? value : { model: name };
  });
}

/** Validators as plain code: a schema library costs more to import than everything else together. */
function validatorCode({ folder, types, schemas, typeOf = (name) => name }: Family): {
  code: string;
  declarations: string;
} {
  const isModel = folder === "src/core";
  const ajv = new Ajv2020({
    schemas: isModel ? schemas : schemas.map(callingTheModel),
    keywords: isModel
      ? []
      : [
          {
            keyword: "model",
            code: (context) => callRef(context, _`model.${new Name(context.schema)}`, undefined, undefined),
          },
        ],
    discriminator: true,
    allErrors: true,
    messages: false,
    inlineRefs: false,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    strictTuples: false,
    code: { source: true, esm: true, lines: false },
  });
  // No schema needs them, and each validator would contain code for them.
  Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
  const names = schemas.map((schema) => [schema["title"] as string, schema.$id as string] as const);
  const code = compactValidators(standaloneCode.default(ajv, Object.fromEntries(names)));
  // `maxLength` and similar keywords call the library with `require`, which modules lack; use `pattern` instead.
  if (code.includes("require(")) throw new Error(`a schema of ${folder} needs more than plain code`);
  const core = isModel ? ".." : `${folder.replace(/^src/, "").replace(/[^/]+/g, "..")}/../core`.slice(1);
  const imports = code.includes("model.")
    ? `import * as model from "${core}/generated/validators.js";\n`
    : "";
  const declarations = [
    `import type * as model from "${types}";`,
    `import type { Validator } from "${core}/validate.js";`,
    ...names.map(([name]) => `export const ${name}: Validator<model.${typeOf(name)}>;`),
    "",
  ].join("\n");
  return { code: imports + code, declarations };
}

/** The validators of `/rpc` by the names of its methods. */
const methodChecks = {
  code: [
    'import * as validators from "./validators.js";',
    "export const checks = {",
    ...methodSchemaNames.map(
      ({ method, params, result }) =>
        `"${method}": { params: validators.${params}, result: validators.${result} },`,
    ),
    "};",
    "",
  ].join("\n"),
  declarations: `import type { Validator } from "../../core/validate.js";
import type { MethodName, Params, Result } from "../schema.js";
export const checks: {
  readonly [M in MethodName]: {
    readonly params: Validator<Params<M>>;
    readonly result: Validator<Result<M>>;
  };
};
`,
};

/** The published form of a schema. */
function schemaFile(schema: TSchema): string {
  return `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }, null, 2)}\n`;
}

/** Writes the validators into the source tree and the schemas into `schemas`. Returns the folders of generated code. */
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
    if (family.isPrivate === true) continue;
    for (const schema of family.schemas) await writeFile(`${published}/${schema.$id}`, schemaFile(schema));
  }
  await writeFile(`${root}src/protocol/generated/methods.js`, methodChecks.code);
  await writeFile(`${root}src/protocol/generated/methods.d.ts`, methodChecks.declarations);
  return families.map(({ folder }) => `${folder}/generated`);
}
