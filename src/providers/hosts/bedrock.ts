import { DragomanError } from "../../core/error.js";
import { type AwsProfile, keysOf, readProfile } from "./aws-profile.js";
import { signAws } from "./aws-signature.js";
import {
  fillPlaceholders,
  firstVariable,
  type Host,
  type HostAccess,
  type HostCall,
  type HostWorld,
} from "./host.js";

/** Amazon Bedrock: a bearer token, or a signature of each request. The region is part of the address and the signature. */
export const bedrockHost: Host = {
  open,
  async check(call, world) {
    await open(call, world);
  },
};

/** Reads variables and files only. */
async function open(call: HostCall, world: HostWorld): Promise<HostAccess> {
  let read: Promise<AwsProfile> | undefined;
  const profile = () => {
    read ??= readProfile(world);
    return read;
  };
  const region = () => regionOf(call, profile, world);
  const baseUrl = await fillPlaceholders(call.baseUrl, { region });
  const key = call.key ?? tokenOf(world);
  if (key !== undefined) return { baseUrl, key };
  const keys = await keysOf(world, profile);
  const scope = { region: await region(), service: "bedrock" };
  return { baseUrl, sign: (request) => signAws(request, keys, scope, world.now()) };
}

const TOKEN = "AWS_BEARER_TOKEN_BEDROCK";

function tokenOf(world: HostWorld) {
  const value = firstVariable(world, TOKEN);
  return value === undefined ? undefined : { value, variable: TOKEN };
}

/** The region in the address, or else in the environment, in the profile, or in the model's ARN. */
async function regionOf(
  { baseUrl, model }: HostCall,
  profile: () => Promise<AwsProfile>,
  world: HostWorld,
): Promise<string> {
  const [, inAddress] = /\/\/bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(baseUrl) ?? [];
  const [, inModel] = /^arn:[^:]*:bedrock:([a-z0-9-]+):/.exec(model) ?? [];
  const region =
    inAddress ??
    firstVariable(world, "AWS_REGION", "AWS_DEFAULT_REGION") ??
    (await profile()).settings.get("region") ??
    inModel;
  if (region !== undefined) return region;
  throw new DragomanError("provider/no-key", "no AWS region is set", {
    hint: "set AWS_REGION, such as us-east-1",
  });
}
