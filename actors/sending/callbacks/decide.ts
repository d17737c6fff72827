// Decides callbacks: verifies the signature, reads the body, applies its reports. A signed body
// that says nothing known is accepted: the provider would only repeat it.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { carrierInbound, carrierReport } from '../../channels/carrier/callbacks.ts';
import { rcsEvent, rcsItem, rcsProblem } from '../../channels/rcs/callbacks.ts';
import { subscribeProblem } from '../../channels/whatsapp/callbacks.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { AppliedCallback } from './applied-callback.ts';
import { engaged } from './engaged.ts';
import { mailDecisions } from './mail-decisions.ts';
import type { CallbacksMemory, CallbacksView } from './memory.ts';
import type { PollPlan } from './poll.ts';
import { pollDecisions } from './poll-decisions.ts';
import type { CallbacksProtocol } from './protocol.ts';
import { relayDecisions } from './relay-decisions.ts';
import { ReportedSends } from './reported-sends.ts';
import { resumeDecisions } from './resume-device.ts';
import { carrierRefusal, refusalOf, type SecretReader, webhookRefusal } from './secrets.ts';

const noBytes = new Uint8Array();

export interface CallbacksRules {
  readonly webhooks: SecretReader['webhooks'];
  readonly plan: PollPlan & SecretReader['rules'];
  readonly sealer: SecretReader['sealer'];
  readonly credentials: SecretReader['cache'];
}

export function callbacksDecisions({
  webhooks,
  plan,
  sealer,
  credentials,
}: CallbacksRules): Decisions<CallbacksProtocol, CallbacksMemory> {
  const secrets: SecretReader = { webhooks, rules: plan, sealer, cache: credentials };
  return {
    'callback.carrier_status': (state, message, context) =>
      withApp(state, context, (app) => {
        const { channel, url, signature, sendId, deviceId } = message;
        const body = context.bytes ?? noBytes;
        const refusal = carrierRefusal(app, secrets, { url, body, signature });
        if (refusal !== undefined) return refused(refusal);
        const form = formIn(body);
        const news = carrierReport(channel, form);
        const address = form.get('To') ?? undefined;
        const applied = new AppliedCallback(app, context);
        const report = news && { sendId, deviceId, channel, address, news };
        applied.count(report === undefined ? 'ignored' : applied.sends.apply(report));
        return applied.decision();
      }),

    'callback.carrier_inbound': (state, { url, signature }, context) =>
      withApp(state, context, (app) => {
        const body = context.bytes ?? noBytes;
        const refusal = carrierRefusal(app, secrets, { url, body, signature });
        if (refusal !== undefined) return refused(refusal);
        const inbound = carrierInbound(formIn(body));
        const applied = new AppliedCallback(app, context);
        applied.count(inbound === undefined ? 'ignored' : applied.optOuts.apply('sms', inbound));
        return applied.decision();
      }),

    'callback.whatsapp_subscribe': (state, { mode, verifyToken }, context) =>
      withApp(state, context, (app) => {
        const refusal = refusalOf(app, 'whatsapp', secrets, (credential) =>
          subscribeProblem(credential, mode, verifyToken),
        );
        return refusal === undefined ? accepted(null) : refused(refusal);
      }),

    'callback.rcs': (state, { signature }, context) =>
      withApp(state, context, (app) => {
        const event = rcsEvent(context.bytes ?? noBytes);
        const refusal = refusalOf(app, 'rcs', secrets, (credential) =>
          rcsProblem(credential, event, signature),
        );
        if (refusal !== undefined) return refused(refusal);
        const applied = new AppliedCallback(app, context);
        if (event.kind === 'pushed') applied.item('rcs', rcsItem(event.data));
        return applied.decision({ secret: event.kind === 'verification' ? event.secret : null });
      }),

    ...relayDecisions,
    ...mailDecisions,
    ...pollDecisions(secrets, plan),
    ...resumeDecisions,

    'callback.engaged': (state, message, context) =>
      withApp(state, context, (app) =>
        engaged(state, app, message, { isLive: plan.credentialsRequired }, context),
      ),

    'callback.chat': (state, { channel, signature, from }, context) =>
      withApp(state, context, (app) => {
        const body = context.bytes ?? noBytes;
        const refusal = webhookRefusal(app, secrets, channel, body, signature);
        if (refusal !== undefined) return refused(refusal);
        const applied = new AppliedCallback(app, context);
        const items = webhooks[channel].webhook.items(body);
        return applied.decision({ next: applied.part(channel, items, from) });
      }),

    'callback.retell': (state, { deviceId }, context) =>
      withApp(state, context, (app) =>
        reread(app, context, (sends) => sends.rereadDevice(deviceId)),
      ),

    'callback.recheck': (state, { sendId }, context) =>
      withApp(state, context, (app) => reread(app, context, (sends) => sends.rereadSend(sendId))),
  };
}

function reread(
  app: CallbacksView,
  context: Context,
  early: (sends: ReportedSends) => void,
): Decision<null> {
  const sends = new ReportedSends(app, context);
  early(sends);
  return accepted(null, { entries: sends.entries(), documents: sends.documents() });
}

function formIn(body: Uint8Array): URLSearchParams {
  return new URLSearchParams(Buffer.from(body).toString('utf8'));
}
