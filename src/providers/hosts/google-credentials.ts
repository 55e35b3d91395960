import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { firstVariable, type HostWorld, homePath } from "./host.js";

/** Google's application-default credentials, found like every Google client library finds them. */
export type GoogleCredentials = ServiceAccount | AuthorizedUser | MetadataServer;

export interface ServiceAccount {
  type: "service_account";
  email: string;
  /** In PEM. */
  privateKey: string;
  keyId?: string;
  tokenUrl: string;
  project?: string;
}

export interface AuthorizedUser {
  type: "authorized_user";
  clientId: string;
  clientSecret: string;
  refreshToken: string;
  project?: string;
}

/** The server that issues tokens to programs in Google Cloud. */
export interface MetadataServer {
  type: "metadata";
  host: string;
}

const VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS";
/** Exchanges refresh tokens, and issues tokens to service accounts whose file names no other address. */
export const GOOGLE_TOKEN_URL = "https://oauth2.googleapis.com/token";

/** The file that `GOOGLE_APPLICATION_CREDENTIALS` names, or else the gcloud file, or else the metadata server. */
export async function findGoogleCredentials(world: HostWorld): Promise<GoogleCredentials> {
  const named = firstVariable(world, VARIABLE);
  if (named !== undefined) {
    const text = await world.readFile(named);
    if (text !== undefined) return readCredentials(text, named);
    throw new DragomanError("provider/no-key", `${VARIABLE} names ${named}, which does not exist`, {
      hint: `set ${VARIABLE} to the path of a JSON file with credentials`,
    });
  }
  const usual = gcloudFile(world);
  const text = usual === undefined ? undefined : await world.readFile(usual);
  if (usual !== undefined && text !== undefined) return readCredentials(text, usual);
  const host = firstVariable(world, "GCE_METADATA_HOST") ?? "metadata.google.internal";
  return { type: "metadata", host };
}

/** Throws if there are no credentials. Whether there is a metadata server is known without a request. */
export async function checkGoogleCredentials(world: HostWorld): Promise<void> {
  const { type } = await findGoogleCredentials(world);
  if (type !== "metadata" || (await isInGoogleCloud(world))) return;
  throw new DragomanError("provider/no-key", "there are no Google Cloud credentials", {
    hint: `run gcloud auth application-default login, or set ${VARIABLE}`,
  });
}

/** Serverless programs have these variables, and virtual machines Google's firmware. */
async function isInGoogleCloud(world: HostWorld): Promise<boolean> {
  const named = firstVariable(world, "GCE_METADATA_HOST", "K_SERVICE", "CLOUD_RUN_JOB", "FUNCTION_NAME");
  if (named !== undefined) return true;
  const vendor = await world.readFile("/sys/class/dmi/id/bios_vendor");
  return vendor?.trim() === "Google";
}

/** The file that `gcloud auth application-default login` writes. */
function gcloudFile(world: HostWorld): string | undefined {
  const windows = firstVariable(world, "APPDATA");
  const folder =
    firstVariable(world, "CLOUDSDK_CONFIG") ??
    (windows === undefined ? homePath(world, ".config/gcloud") : `${windows}/gcloud`);
  return folder === undefined ? undefined : `${folder}/application_default_credentials.json`;
}

function readCredentials(text: string, path: string): GoogleCredentials {
  const file = parse(text, path);
  const { type } = file;
  const required = (field: string): string => {
    const value = file[field];
    if (typeof value === "string" && value !== "") return value;
    throw new DragomanError("provider/no-key", `the credentials in ${path} have no "${field}"`, {
      at: `/${field}`,
      hint: "download the key file again, or run gcloud auth application-default login",
    });
  };
  const optional = (field: string): string | undefined => {
    const value = file[field];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  switch (type) {
    case "service_account":
      return defined({
        type,
        email: required("client_email"),
        privateKey: required("private_key"),
        tokenUrl: optional("token_uri") ?? GOOGLE_TOKEN_URL,
        keyId: optional("private_key_id"),
        project: optional("project_id"),
      });
    case "authorized_user":
      return defined({
        type,
        clientId: required("client_id"),
        clientSecret: required("client_secret"),
        refreshToken: required("refresh_token"),
        project: optional("quota_project_id"),
      });
    default:
      throw new DragomanError(
        "provider/no-key",
        `the credentials in ${path} have the type ${JSON.stringify(type) ?? "undefined"}, which is not supported`,
        {
          at: "/type",
          hint: "use a service account key or gcloud auth application-default login, or pass an access token as apiKey",
        },
      );
  }
}

/** Errors do not quote the file, because it contains secrets. */
function parse(text: string, path: string): JsonObject {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    file = undefined;
  }
  if (isObject(file)) return file;
  throw new DragomanError("provider/no-key", `${path} is not a JSON file with credentials`, {
    hint: "download the key file again, or run gcloud auth application-default login",
  });
}
