import { DragomanError } from "../../core/error.js";
import type { AwsKeys } from "./aws-signature.js";
import { firstVariable, type HostWorld, homePath } from "./host.js";

/** The settings of one profile in `~/.aws`; those in `credentials` replace those in `config`. */
export interface AwsProfile {
  name: string;
  settings: ReadonlyMap<string, string>;
}

/** The profile that `AWS_PROFILE` names (default: `default`). */
export async function readProfile(world: HostWorld): Promise<AwsProfile> {
  const named = firstVariable(world, "AWS_PROFILE", "AWS_DEFAULT_PROFILE");
  const name = named ?? "default";
  const configuration = await readSections(world, "AWS_CONFIG_FILE", "config");
  const credentials = await readSections(world, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
  const known = [configuration.get(`profile ${name}`) ?? configuration.get(name), credentials.get(name)];
  if (named !== undefined && known.every((section) => section === undefined)) {
    throw new DragomanError("provider/no-key", `there is no AWS profile "${name}" in ~/.aws`, {
      hint: `set AWS_PROFILE to a profile that exists, or run aws configure --profile ${name}`,
    });
  }
  return { name, settings: new Map(known.flatMap((section) => [...(section ?? [])])) };
}

/** The access keys in the environment, or else in the profile. */
export async function keysOf(world: HostWorld, profile: () => Promise<AwsProfile>): Promise<AwsKeys> {
  const variable = (suffix: string) => firstVariable(world, `AWS_${suffix}`);
  const fromEnvironment = accessKeys(
    variable("ACCESS_KEY_ID"),
    variable("SECRET_ACCESS_KEY"),
    variable("SESSION_TOKEN"),
  );
  if (fromEnvironment !== undefined) return fromEnvironment;
  const { name, settings } = await profile();
  const fromProfile = accessKeys(
    settings.get("aws_access_key_id"),
    settings.get("aws_secret_access_key"),
    settings.get("aws_session_token"),
  );
  if (fromProfile !== undefined) return fromProfile;
  const other = ["sso_session", "sso_start_url", "role_arn", "credential_process", "login_session"].find(
    (setting) => settings.has(setting),
  );
  if (other !== undefined) {
    throw new DragomanError(
      "provider/no-key",
      `the AWS profile "${name}" uses ${other}, which is not supported`,
      {
        hint: `run eval "$(aws configure export-credentials --profile ${name} --format env)" first`,
      },
    );
  }
  throw new DragomanError("provider/no-key", "there are no AWS credentials", {
    hint: "set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run aws configure",
  });
}

function accessKeys(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
): AwsKeys | undefined {
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

async function readSections(
  world: HostWorld,
  variable: string,
  file: string,
): Promise<Map<string, Map<string, string>>> {
  const path = firstVariable(world, variable) ?? homePath(world, `.aws/${file}`);
  const text = path === undefined ? undefined : await world.readFile(path);
  const found = new Map<string, Map<string, string>>();
  let settings = new Map<string, string>();
  for (const line of (text ?? "").split(/\r?\n/)) {
    if (line.startsWith("[")) {
      const section = line.slice(1).split("]", 1).join("").trim();
      settings = found.get(section) ?? new Map();
      found.set(section, settings);
      continue;
    }
    const equals = line.indexOf("=");
    // An indented line continues the setting above it.
    if (equals < 1 || /^[\s#;]/.test(line)) continue;
    settings.set(line.slice(0, equals).trim().toLowerCase(), line.slice(equals + 1).trim());
  }
  return found;
}
