import { DragomanError } from "../../core/error.js";
import type { World } from "../world.js";
import { type AwsProfile, keysOf, readProfile } from "./aws-profile.js";
import { signAws } from "./aws-signature.js";
import { fillPlaceholders, firstVariable, type Host } from "./host.js";

/** Amazon Bedrock: a bearer token, or a signature of each request; the region is part of both address and signature. */
export const bedrockHost: Host = {
  async open({ baseUrl, model, key }, world) {
    const profile = await readProfile(world);
    const region = regionOf(baseUrl, model, profile, world);
    const url = await fillPlaceholders(baseUrl, { region: async () => region });
    const token = key ?? tokenOf(world);
    if (token !== undefined) return { baseUrl: url, key: token };
    const keys = keysOf(world, profile);
    const scope = { region, service: "bedrock" };
    return { baseUrl: url, sign: (request) => signAws(request, keys, scope, world.now()) };
  },
};

const TOKEN = "AWS_BEARER_TOKEN_BEDROCK";

function tokenOf(world: World) {
  const value = firstVariable(world, TOKEN);
  return value === undefined ? undefined : { value, variable: TOKEN };
}

/** That of the address if it names one, else of the environment, of the profile, or of the model's ARN. */
function regionOf(baseUrl: string, model: string, { settings }: AwsProfile, world: World): string {
  const [, inAddress] = /\/\/bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(baseUrl) ?? [];
  const [, inModel] = /^arn:[^:]*:bedrock:([a-z0-9-]+):/.exec(model) ?? [];
  const region =
    inAddress ??
    firstVariable(world, "AWS_REGION", "AWS_DEFAULT_REGION") ??
    settings.get("region") ??
    inModel;
  if (region !== undefined) return region;
  throw new DragomanError("config/invalid", "no AWS region is set", {
    hint: "set AWS_REGION, such as us-east-1",
  });
}
