import { answerableRequests, approvalDetails, approvalOf, placeOf, requestNamed } from "./approvals.js";
import type { Methods } from "./methods.js";

/** Permission requests, as the protocol's approvals of commands. */
export const approvalMethods: Methods = {
  "exec.approval.list": {
    scope: "operator.approvals",
    async handle(_, { gateway, permit, hub }) {
      const found = await answerableRequests(gateway, permit);
      return found.map((one) => approvalOf(one.request, placeOf(one), hub.feeds.of(one.conversation)?.runId));
    },
  },

  "exec.approval.get": {
    scope: "operator.approvals",
    async handle(params, { gateway, permit }) {
      return approvalDetails(await requestNamed(gateway, permit, params.text("id")));
    },
  },

  "exec.approval.resolve": {
    scope: "operator.approvals",
    async handle(params, { gateway, permit, hub }) {
      params.refuse(["grantExpiresInDays"]);
      params.text("decision");
      const decision = params.choice("decision", ["allow-once", "deny"]);
      const found = await requestNamed(gateway, permit, params.text("id"));
      const { request, conversation } = found;
      const place = placeOf(found);
      hub.remember(approvalOf(request, place, undefined), place.agentId);
      const answer = decision === "allow-once" ? "once" : "never";
      await conversation.permissions.answer(request.id, answer, { by: permit.token });
      hub.reportRequestEnd(request.id, answer);
      return { ok: true };
    },
  },
};
