// What memory knows about a send or person, for their story; the host reads the rest off the actor.
// A send id that this app never queued gets an `unknown` answer, not a refusal, and nothing of
// another tenant is looked up before that.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { withPerson } from '../../people/audience/find-person.ts';
import { readableRow } from '../../readable-row.ts';
import { namedSend, numberInIds } from '../../sending/campaign-send-id.ts';
import type { CredentialRules } from '../../sending/outbox/open-credentials.ts';
import { sendRow } from '../../sending/outbox/send-chunk.ts';
import { sendKey } from '../../sending/outbox/send-key.ts';
import { listedSend } from '../../sending/transactional/list-sends.ts';
import type { SendView } from '../../sending/transactional/protocol.ts';
import { readSend } from '../../sending/transactional/read-send.ts';
import { keptFromMs } from '../../tenants/accounts/records.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { TimelineMemory, TimelineView } from './memory.ts';
import { namesOf, toldOf } from './names.ts';
import { statusOfPerson } from './person-now.ts';
import type { ExplainedSend, TimelineProtocol } from './protocol.ts';
import { sendDetailsOf } from './send-details.ts';
import { contentOfSend, notKept } from './sent-content.ts';
import { sentFacts } from './sent-facts.ts';

/** The newest open sends that a person's story includes. */
const openMax = 100;

type ActorDecisions = Omit<
  Decisions<TimelineProtocol, TimelineMemory>,
  'timeline.read' | 'send.preview'
>;

export interface TimelineRules {
  readonly plan: CredentialRules;
}

/** The host answers the two that are missing, after `timeline.locate` and `send.preview_facts`. */
export const timelineDecisions = ({ plan: rules }: TimelineRules): ActorDecisions => ({
  'send.explain': (state, { id, withStory, withContent }, context) => {
    const { owner, nowMs, documents } = context;
    const app = state.apps.get(owner);
    const content =
      withContent && app !== undefined ? { content: contentOfSend(app, id, context) } : {};
    const isTold = app !== undefined && withStory;
    const row = isTold ? sendRow(documents, owner, id) : undefined;
    if (isTold && row !== undefined) {
      const send = listedSend(app, row, documents);
      const told = explain(app, id, context);
      return accepted({ send, ...content, told, names: namesOf(app, toldBy(told)), readMs: nowMs });
    }
    const read = readSend(state, { id }, context);
    if (read.outcome === 'refused') return read;
    const told: ExplainedSend = isTold ? explain(app, id, context) : { kind: 'unknown' };
    const names = isTold ? namesOf(app, toldBy(told)) : [];
    return accepted({ send: read.reply, ...content, told, names, readMs: nowMs });
  },

  'send.content': (state, { id, receipts }, context) =>
    withApp(state, context, (app) => accepted(contentOfSend(app, id, context, receipts))),

  'send.preview_facts': (state, { id, receipts }, context) =>
    withApp(state, context, (app) => sentFacts(app, id, receipts, context)),

  'timeline.names': (state, { ids }, context) =>
    withApp(state, context, (app) => accepted(namesOf(app, ids))),

  'timeline.locate': (state, { ref, withNow }, context) =>
    withPerson(state, ref, context, (app, row) => {
      const { owner, nowMs, ages, documents } = context;
      const open = app.outbox
        .of(row.person)
        .slice(-openMax)
        .reverse()
        .flatMap(({ sendId }) => sendDetailsOf(app, sendId, documents) ?? []);
      return accepted({
        app: owner,
        person: row.person,
        aliases: app.people.aliasesOf(row.person),
        erased: [], // none of their names is anybody's who was erased, and the set may be long
        keptFromMs: keptFromMs(app.settings, ages, nowMs),
        readMs: nowMs,
        open,
        now: withNow ? statusOfPerson(state, app, row, rules, context) : [],
        newestEvent: app.nextEvent - 1,
      });
    }),
});

/** For another tenant's send: as if it did not exist. */
export function explainUnknown(
  id: string,
  { nowMs }: Context,
): Decision<TimelineProtocol['send.explain']['reply']> {
  const send: SendView = {
    id,
    status: 'pending',
    outcomes: [],
    failures: { open: 0, recovered: 0 },
  };
  return accepted({
    send,
    content: notKept,
    told: { kind: 'unknown' },
    names: [],
    readMs: nowMs,
  });
}

function toldBy(told: ExplainedSend): readonly string[] {
  switch (told.kind) {
    case 'send':
      return toldOf([told.send]);
    case 'campaign':
      return toldOf([told.of]);
    case 'unknown':
      return [];
  }
}

function explain(app: TimelineView, id: string, { owner, documents }: Context): ExplainedSend {
  if (sendKey(owner, id) === undefined) return { kind: 'unknown' };
  const send = sendDetailsOf(app, id, documents);
  if (send !== undefined) return { kind: 'send', send };
  const named = namedSend(id);
  if (named === undefined) return { kind: 'unknown' };
  const { startedMs, number, channel, person } = named;
  for (const { campaignId } of app.sending.begunAt(startedMs)) {
    const campaign = app.campaigns.get(campaignId);
    if (campaign === undefined || numberInIds(campaign.number) !== number) continue;
    const channelId = channelIds[channel];
    if (channelId === undefined) continue;
    const canonical = app.people.canonical(person);
    const subscriberId = readableRow(documents, subscribers, [canonical])?.id ?? null;
    return { kind: 'campaign', of: { campaignId, subscriberId, channel: channelId, startedMs } };
  }
  return { kind: 'unknown' };
}
