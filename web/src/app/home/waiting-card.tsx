import { useState } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { ago } from "../../transcript/dates.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useOriginTitle } from "../app-context.js";
import { RequestCard } from "../chat/request-card.js";
import type { PairingRequest, Waiting } from "../state/home-feed.js";
import { hashOf } from "../state/route.js";
import { useStore } from "../state/store.js";
import { NotifyButton } from "./notify-button.js";
import { SessionLabel } from "./session-label.js";

/** Questions of agents, and people who want to use a channel. Each is answered here. */
export function WaitingCard() {
  const { app } = useConnected();
  const { waiting, requests } = useStore(app.home.state);
  if (waiting.length === 0 && requests.length === 0) return null;
  return (
    <section className="home-section" aria-labelledby="home-waiting">
      <h2 id="home-waiting">
        {texts.home.waiting} <NotifyButton />
      </h2>
      {waiting.map((one) => (
        <WaitingRequest key={one.request.id} waiting={one} />
      ))}
      {requests.map((request) => (
        <PairingCard key={`${request.channel}/${request.account}/${request.code}`} request={request} />
      ))}
    </section>
  );
}

function WaitingRequest({ waiting: { id, sessionKey, agent, request } }: { waiting: Waiting }) {
  const { app, client, welcome } = useConnected();
  return (
    <article className="home-asking">
      <a href={hashOf({ page: "session", id })}>
        <SessionLabel id={id} agent={agent} />
      </a>
      <RequestCard
        request={request}
        mayAnswer={welcome.scope === "admin"}
        hasKeys={false}
        onAnswer={(requestId, answer, content) =>
          void app.attempt(async () => {
            const values = content === undefined ? {} : { content };
            await client.call("permission.answer", { sessionKey, id: requestId, answer, ...values });
            await app.home.refresh(client, welcome);
          })
        }
      />
    </article>
  );
}

function PairingCard({ request }: { request: PairingRequest }) {
  const titleOf = useOriginTitle();
  const { app, client, welcome } = useConnected();
  const [isBusy, setBusy] = useState(false);
  const { channel, account, id, name, code, since } = request;
  const answer = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await app.attempt(async () => {
      await work();
      await app.home.refresh(client, welcome);
    });
    setBusy(false);
  };
  return (
    <article className="permission home-pairing">
      <p>
        <RichText
          text={texts.home.wantsToTalk}
          platform={titleOf(channel)}
          name={
            <strong>
              <bdi>{visible(name ?? id)}</bdi>
            </strong>
          }
        />
      </p>
      <p className="home-quiet">
        <RichText
          text={texts.home.pairingDetails}
          account={visible(account)}
          since={ago(since, app.world.now())}
          code={<code>{code}</code>}
          id={<bdi>{visible(id)}</bdi>}
        />
      </p>
      <div className="permission-answers">
        <button
          type="button"
          className="button-primary"
          disabled={isBusy}
          onClick={() => void answer(() => client.call("channels.approve", { code }))}
        >
          {texts.home.approve}
        </button>
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => void answer(() => client.call("channels.revoke", { channel, account, id }))}
        >
          {texts.home.reject}
        </button>
      </div>
    </article>
  );
}
