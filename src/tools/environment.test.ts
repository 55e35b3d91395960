import { expect, test } from "vitest";
import { withoutSecrets } from "./environment.js";

test("what looks like a secret is left out", () => {
  const secrets = {
    ANTHROPIC_API_KEY: "x",
    OPENAI_APIKEY: "x",
    AWS_ACCESS_KEY_ID: "x",
    AWS_SECRET_ACCESS_KEY: "x",
    GITHUB_TOKEN: "x",
    ANTHROPIC_AUTH_TOKEN: "x",
    npm_config__auth: "x",
    SECRET_SAUCE: "x",
    my_client_secret: "x",
    PGPASSWORD: "x",
    DB_PASSWORD: "x",
    DB_PASS: "x",
    GOOGLE_APPLICATION_CREDENTIALS: "x",
    STRIPE_KEY: "x",
    DRAGOMAN_HOME: "x",
    DATABASE_URL: "postgres://me:hunter2@localhost/db",
    REDIS_URL: "redis://:hunter2@localhost",
    STRIPE_SK: "x",
    SENTRY_DSN: "x",
    SLACK_WEBHOOK_URL: "x",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=x",
    KEY: "x",
    BEARER: "x",
    COOKIE: "x",
    TOKENS: "x",
    OPENAI_KEY_2: "x",
    PASS: "x",
    AUTH: "x",
    NPM_TOKEN_RO: "x",
  };
  const harmless = {
    PATH: "/bin",
    HOME: "/home/me",
    PWD: "/",
    OLDPWD: "/",
    SSH_AUTH_SOCK: "/tmp/agent",
    KEYBOARD: "de",
    KEYMAP: "de",
    SKIP: "1",
    TASK: "1",
    PASSENGER: "1",
    AUTHOR: "me",
    TOKENIZERS_PARALLELISM: "false",
    PROXY: "http://localhost:8080/a@b",
    EMPTY: "",
  };
  expect(withoutSecrets({ ...secrets, ...harmless, UNSET: undefined })).toEqual(harmless);
});
