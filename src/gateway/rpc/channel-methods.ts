import { loadChannels } from "../../channels/registry.js";
import { defined } from "../../core/json/defined.js";
import { mayUse } from "../auth/permit.js";
import { notFound } from "../refusals.js";
import type { AccountRef } from "../types.js";
import type { Context, Methods } from "./context.js";

export const channelMethods: Methods<"channels"> = {
  async "channels.list"() {
    const all = await loadChannels();
    return {
      channels: all.map(({ name, channel: { title, secret } }) => ({ name, title, ...defined({ secret }) })),
    };
  },

  async "channels.status"(_, { gateway: { channels: desk }, permit }) {
    const all = (await desk?.status()) ?? [];
    // The agent of an account that is not connected is unknown here.
    const isVisible = ({ channel, account }: (typeof all)[number]) => {
      const reception = desk?.answering(channel, account)?.reception;
      return permit.agents === undefined || (reception !== undefined && mayUse(permit, reception.agent));
    };
    return { channels: all.filter(isVisible) };
  },

  async "channels.people"(_, context) {
    const { requests, approved } = (await context.gateway.channels?.people()) ?? {
      requests: [],
      approved: [],
    };
    const isVisible = (account: AccountRef) => mayManage(account, context);
    return { requests: requests.filter(isVisible), approved: approved.filter(isVisible) };
  },

  async "channels.approve"({ code, owner = false }, context) {
    const { channels: desk } = context.gateway;
    const person = await desk?.approve(code, owner, (account) => mayManage(account, context));
    if (person === undefined) {
      throw notFound(`no person waits with the code ${JSON.stringify(code)}; codes expire after an hour`);
    }
    return person;
  },

  async "channels.revoke"({ id, ...account }, context) {
    const { channels: desk } = context.gateway;
    const revoked = mayManage(account, context) && (await desk?.revoke(account, id)) === true;
    return { revoked };
  },
};

/** Whether the client may use the agent that answers at an account. */
function mayManage({ channel, account }: AccountRef, { gateway, permit }: Context): boolean {
  const reception = gateway.channels?.reception(channel, account);
  return reception !== undefined && mayUse(permit, reception.agent);
}
