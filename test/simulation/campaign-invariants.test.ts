// The invariants about campaigns can fail: each is broken here by a planted log, and reported by
// its name.

import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { isHeldOut } from '../../actors/programs/campaigns/bucketing.ts';
import type { Entry } from '../../engine/actor/message.ts';
import { ordinalIn } from '../../engine/actor/placement.ts';
import { Bitset } from '../../engine/base/bitset.ts';
import { packOrdinals } from '../../engine/base/ordinal-list.ts';
import type { SubscriberRow } from '../../storage/tables/subscriber.ts';
import { checkCampaigns } from './campaign-recount.ts';
import { campaignInvariants, Findings, type Invariant } from './invariants.ts';
import { LogAudit } from './log-audit.ts';
import { newAppModel } from './model.ts';

const shown = new Set<Invariant>();
const owner = ordinalIn(7, 2);
const org = ordinalIn(7, 1);
const fcm = channelIds.indexOf('fcm');
const atMs = Date.UTC(2026, 0, 31, 21);
const campaign = { id: 'cmp_planted', number: 1, state: 'sending', channels: ['fcm'] };
type Planted = Entry & Record<string, unknown>;

/** A log with an app, five people with a device each, and a campaign to the first three of them. */
function aLog(more: object = {}) {
  const findings = new Findings();
  const audit = new LogAudit(findings, 1);
  const say = (...entries: Planted[]) => audit.durable(0, atMs, entries);
  const people = [0, 1, 2, 3, 4];
  const saved = (change: object = {}): Planted => ({
    kind: 'campaign.saved',
    owner,
    campaign: { ...campaign, ...more, ...change },
  });
  const audience = new Bitset(8);
  for (const person of [0, 1, 2]) audience.set(person);
  const of = { owner, campaignId: campaign.id, occurrence: 1, atMs };
  say(
    { kind: 'org.created', owner: org, org: { dailySendCap: null } },
    { kind: 'app.created', owner, app: { org, timezone: 'UTC' } },
  );
  audit.durable(
    0,
    atMs,
    people.map((person) => ({ kind: 'subscriber.created', owner, person, externalUserId: null })),
    people.map((person) => ({ owner, person, row: rowOf(person) })),
  );
  say(saved(), { kind: 'campaign.started', ...of, audience: audience.snapshot() });
  const turn = (who: number[], what: object, phase = 'primary'): Planted => ({
    ...{ kind: 'campaign.decided', ...of, phase, channel: fcm, wave: 1, sends: [], firstEvent: 1 },
    people: packOrdinals(who),
    turns: [what],
  });
  const settings = (change: object): Planted => ({
    kind: 'settings.changed',
    owner,
    settings: { caps: [], quietHours: null, ...change },
  });
  const ended: Planted = { kind: 'campaign.occurrence_ended', ...of };
  const reported = () => {
    const { first } = findings;
    if (first !== undefined) shown.add(first.invariant);
    return first?.invariant;
  };
  /** Compares with stats that say this of the occurrence. */
  const compare = (said: object) => {
    const none = { opened: 0, clicked: 0, bounced: 0, suppressed: 0, failed: 0, converted: 0 };
    const occurrence = {
      number: 1,
      audience: 3,
      holdout: { size: 0 },
      sent: 0,
      delivered: 0,
      ...none,
    };
    const stats = {
      state: 'sending',
      occurrences: [{ ...occurrence, ...said }],
      fallback: { eligible: 0, sent: 0, suppressed: 0 },
      devices: { sent: 0, ...said },
    };
    const client = checkCampaigns({ audit, findings }, newAppModel('app', owner, org));
    client.next();
    client.next({ ok: true, value: [stats] });
  };
  return { audit, findings, say, saved, turn, settings, ended, compare, reported };
}

function rowOf(person: number): SubscriberRow {
  const device = {
    id: `dev_${person}`,
    channel: 'fcm',
    endpoint: `token-${person}`,
    enabled: true,
  };
  const row = { id: `sub_${person}`, person, devices: [device], tags: {}, timezone: 'Asia/Tokyo' };
  return row as unknown as SubscriberRow;
}

const wave = { turn: 'wave' };

t.test('a sound campaign is not reported', (t) => {
  const { findings, say, turn, ended, compare } = aLog();
  say(turn([0, 1], { turn: 'hold', reason: 'throttle', untilMs: atMs + 1 }));
  say(turn([0, 1, 2], wave), {
    ...{ kind: 'wave.settled', owner, campaignId: campaign.id, occurrence: 1, atMs, wave: 1 },
    ...{ phase: 'primary', channel: fcm, firstEvent: 1, people: packOrdinals([0, 1, 2]) },
    sendParts: { ordinal: owner, atMs, high16: (1 << 4) | fcm, low32: 0 },
    ...{ kinds: [{ status: 'delivered' }], devices: new Uint8Array(64), spilled: [] },
  });
  say(ended);
  compare({ sent: 3, delivered: 3 });
  t.same(findings.all, []);
  t.end();
});

t.test('a second wave to the same person is reported', (t) => {
  const { say, turn, reported } = aLog();
  say(turn([0], wave), turn([0], wave));
  t.equal(reported(), 'campaign_once');
  t.end();
});

t.test('a wave to somebody who turned out to be somebody sent to is reported', (t) => {
  const { say, turn, reported } = aLog();
  say(turn([0], wave), { kind: 'subscriber.merged', owner, person: 0, into: 1 }, turn([1], wave));
  t.equal(reported(), 'campaign_once');
  t.end();
});

t.test('a wave to somebody outside the audience is reported', (t) => {
  const { say, turn, reported } = aLog();
  say(turn([3], wave));
  t.equal(reported(), 'audience_holds');
  t.end();
});

t.test('a wave to somebody who is held out is reported', (t) => {
  const holdoutShare = 0.5;
  const number = Array.from({ length: 64 }, (_, i) => i).find((one) =>
    isHeldOut({ number: one, holdoutShare }, 1),
  );
  const { say, turn, reported } = aLog({ number, holdoutShare });
  say(turn([1], wave));
  t.equal(reported(), 'audience_holds');
  t.end();
});

t.test('somebody called gone who is there is reported', (t) => {
  const { say, turn, reported } = aLog();
  say(turn([0], { turn: 'gone' }));
  t.equal(reported(), 'nobody_skipped');
  t.end();
});

t.test('somebody who has no turn, or is held for ever, is reported', (t) => {
  for (const turns of [[], [{ turn: 'hold', reason: 'throttle', untilMs: atMs + 1 }]]) {
    const { say, turn, ended, compare, findings } = aLog();
    for (const one of turns) say(turn([0, 1, 2], one));
    say(ended);
    compare({});
    t.ok(findings.all.every(({ invariant }) => invariant === 'nobody_skipped'));
    t.ok(findings.all.length >= 3);
  }
  t.end();
});

t.test('a send in quiet hours, over a cap or against a preference is reported', (t) => {
  const quietHours = { start: '05:30', end: '06:30', timezone: 'subscriber' };
  const quiet = aLog();
  quiet.say(quiet.settings({ quietHours }), quiet.turn([0], wave)); // 21:00 UTC is 06:00 in Tokyo
  t.equal(quiet.reported(), 'policy_holds');
  const loud = aLog();
  loud.say(loud.settings({ quietHours: { ...quietHours, timezone: 'UTC' } }), loud.turn([0], wave));
  t.equal(loud.reported(), undefined);
  const capped = aLog();
  capped.audit.durable(0, atMs - 1, [capped.settings({ caps: [{ max: 1, perHours: 1 }] })]);
  capped.say(capped.turn([0], wave));
  t.equal(capped.reported(), undefined);
  const { caps } = capped.audit.campaigns.of(owner);
  const next = { channel: 'fcm', isFirst: true, atMs };
  t.ok(caps.reached(next, (person) => person === 0));
  t.notOk(caps.reached(next, (person) => person === 1));
  t.notOk(caps.reached({ ...next, atMs: atMs + 3_600_000 }, (person) => person === 0));
  const preferring = aLog();
  const row = { ...rowOf(0), preferredChannels: ['email' as const] };
  preferring.audit.durable(0, atMs, [], [{ owner, person: 0, row }]);
  preferring.say(preferring.turn([0], wave));
  t.equal(preferring.reported(), 'policy_holds');
  t.end();
});

t.test('a turn in a campaign that is paused, or was deleted, is reported', (t) => {
  const { say, saved, turn, reported } = aLog();
  say(saved({ state: 'paused' }), turn([0], wave));
  t.equal(reported(), 'pause_holds');
  const gone = aLog();
  gone.say({ kind: 'campaign.deleted', owner, id: campaign.id }, gone.turn([0], wave));
  t.equal(gone.reported(), 'pause_holds');
  t.end();
});

t.test('a fallback to somebody it had not to look at is reported', (t) => {
  const { say, turn, reported } = aLog({ fallbackChannels: ['fcm'] });
  say(turn([0], wave, 'fallback'));
  t.equal(reported(), 'fallback_set');
  t.end();
});

t.test('a fallback that never was is reported', (t) => {
  const { say, turn, ended, compare, findings } = aLog({ fallbackChannels: ['email'] });
  say(turn([0, 1, 2], { turn: 'suppress', reason: 'opt_out' }), ended);
  compare({ suppressed: 3 });
  t.same(
    findings.all.map(({ invariant }) => invariant),
    ['fallback_set'],
  );
  t.end();
});

t.test('a counter that is off by one is reported', (t) => {
  const { say, turn, compare, reported } = aLog();
  say(turn([0, 1, 2], { turn: 'suppress', reason: 'opt_out' }));
  compare({ suppressed: 2 });
  t.equal(reported(), 'funnel_exact');
  t.end();
});

t.test('somebody who is held until an instant that has passed is reported', (t) => {
  const { say, turn, reported } = aLog();
  say(turn([0], { turn: 'hold', reason: 'throttle', untilMs: atMs }));
  t.equal(reported(), 'campaign_ends');
  t.end();
});

t.test('every invariant about campaigns has been shown to fail', (t) => {
  t.same([...shown].sort(), [...campaignInvariants].sort());
  t.end();
});
