import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { named } from "../../core/schema/build.js";

/*
 * What servers of OAuth send, in its names, and what is stored about a login. Each schema requires only what we read, and
 * allows fields that it does not know.
 */

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());

/** Protected-resource metadata (RFC 9728): who issues tokens for a server. */
export const OAuthResourceMetadata = named(
  "OAuthResourceMetadata",
  Type.Object({
    resource: Type.String(),
    authorization_servers: Type.Array(Type.String(), { minItems: 1 }),
    scopes_supported: Type.Optional(Type.Array(Type.String())),
  }),
);
export type OAuthResourceMetadata = Static<typeof OAuthResourceMetadata>;

/** Authorization-server metadata (RFC 8414), or that of an OpenID provider. */
export const OAuthServerMetadata = named(
  "OAuthServerMetadata",
  Type.Object({
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    registration_endpoint: text,
    scopes_supported: Type.Optional(Type.Array(Type.String())),
    code_challenge_methods_supported: Type.Optional(Type.Array(Type.String())),
    token_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
    client_id_metadata_document_supported: flag,
    authorization_response_iss_parameter_supported: flag,
  }),
);
export type OAuthServerMetadata = Static<typeof OAuthServerMetadata>;

/** The answer to a dynamic registration (RFC 7591). */
export const OAuthRegistration = named(
  "OAuthRegistration",
  Type.Object({ client_id: Type.String(), client_secret: text, token_endpoint_auth_method: text }),
);
export type OAuthRegistration = Static<typeof OAuthRegistration>;

/** The answer of a token endpoint. */
export const OAuthTokens = named(
  "OAuthTokens",
  Type.Object({
    access_token: Type.String(),
    token_type: Type.String(),
    expires_in: Type.Optional(Type.Number()),
    refresh_token: text,
    scope: text,
  }),
);
export type OAuthTokens = Static<typeof OAuthTokens>;

/** An error of a token or registration endpoint. */
export const OAuthFailure = named(
  "OAuthFailure",
  Type.Object({ error: Type.String(), error_description: text }),
);
export type OAuthFailure = Static<typeof OAuthFailure>;

/** What is stored about the access to a server. Client and tokens belong to the issuer. */
export const OAuthCredentials = named(
  "OAuthCredentials",
  Type.Object({
    issuer: Type.String(),
    tokenEndpoint: Type.String(),
    resource: Type.String(),
    client: Type.Object({
      id: Type.String(),
      secret: text,
      method: Type.Unsafe<"none" | "client_secret_basic" | "client_secret_post">({
        enum: ["none", "client_secret_basic", "client_secret_post"],
      }),
      /** With dynamic registration: the address that it was registered with. */
      redirectUri: text,
    }),
    accessToken: text,
    /** Unix milliseconds. */
    expires: Type.Optional(Type.Number()),
    refreshToken: text,
    /** The scopes that were requested, and those that the server has asked for since then. */
    scope: text,
    neededScope: text,
  }),
);
export type OAuthCredentials = Static<typeof OAuthCredentials>;
