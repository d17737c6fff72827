// The invariants can fail: each is broken here, by a fault planted in a running world or by planted
// observations, and must be reported by its name. The last test holds that none is left out.

import t from 'tap';
import type { Attempt } from '../../actors/channels/port/attempt.ts';
import { limits } from '../../actors/limits.ts';
import type { Entry } from '../../engine/actor/message.ts';
import { ordinalIn } from '../../engine/actor/placement.ts';
import { seededRng } from '../../engine/base/rng.ts';
import { CallLedger } from './call-ledger.ts';
import type { Faults } from './faults.ts';
import {
  campaignInvariants,
  Findings,
  type Invariant,
  invariants,
  journeyInvariants,
} from './invariants.ts';
import { LogAudit } from './log-audit.ts';
import { MailAudit } from './mail-audit.ts';
import { checkPerson, newPersonModel } from './model.ts';
import type { Granted } from './provider-calls.ts';
import { Receivers } from './receivers.ts';
import { type Sabotage, sabotages } from './sabotage.ts';
import { Timeline } from './timeline.ts';
import { WebhookAudit } from './webhook-audit.ts';
import { simulate } from './world.ts';

const shown = new Set<Invariant>();
/** A fault that needs a rare world may be found late: any change of what workers draw moves it. */
const seedsMax = 48;

/**
 * Runs a sabotaged world, seed after seed, until it is found by one of its names. A world ends at
 * its first finding, which may be one of what follows from the fault.
 */
async function firstFinding(
  sabotage: Sabotage,
  adjust: (faults: Faults) => Faults,
  expected: readonly Invariant[],
  from = 1,
) {
  for (let seed = from; seed < from + seedsMax; seed++) {
    const { findings } = await simulate(seed, { sabotage, adjust });
    const found = findings.find(({ invariant }) => expected.includes(invariant));
    if (found !== undefined) return found.invariant;
  }
  return undefined;
}

const broken: Readonly<Record<keyof typeof sabotages, readonly Invariant[]>> = {
  'answers twice': ['answered_once'],
  'gives up early': ['expires_late'],
  'forgets event ids': ['event_stored_once'],
  'forgets idempotency keys': ['key_replays'],
  'does not look at opt-outs before a send': ['suppression_holds'],
  'answers before it is durable': ['call_needs_start', 'acknowledged_kept', 'accepted_recorded'],
  'grants twice': ['call_needs_start'],
  'forgets what was in flight at a crash': ['send_ends'],
  'writes under a neighbor': ['owner_in_key'],
  'takes everybody as confirmed': ['pending_only'],
  'numbers events wrongly': ['events_gapless'],
  'makes something else of a checkpoint': ['memory_is_a_fold'],
  'lets an org reach another': ['tenants_apart'],
  'counts a send twice': ['tally_exact'],
  'has no daily cap': ['daily_cap_holds'],
  'takes any body for a key': ['key_conflicts'],
  'believes that every call was taken': ['delivered_is_true'],
  'shows one receipt a send': ['receipt_per_device'],
  'is a millisecond late at the edge of a window': ['segments_exact'],
  'loses who is reached of a column': ['segments_exact'],
  'confirms reports that it does not keep': ['roll_up_exact'],
  'says its last word a month early': ['last_word_holds'],
  'forgets a receipt that webhooks are to tell of': ['webhook_complete'],
  'tells webhooks of a receipt twice': ['webhook_event_once'],
  'tells every webhook of everything': ['webhook_subscribed'],
  'leaves open what a webhook is not to get any more': ['webhook_ends'],
  'counts a delivery of a webhook too many': ['webhook_pending_exact'],
  'lets deliveries of a webhook pass one that failed': ['webhook_order'],
  'gives a mail to a second relay': ['one_relay'],
  'counts a soft bounce twice': ['mail_counts'],
  'keeps nothing of a bounce that a relay tells of': ['told_is_heard'],
  'counts what a relay has accepted as delivered': ['funnel_exact'],
  'forgets what a warm-up has begun today': ['warm_up_holds'],
  'throws now and then': ['no_throw'],
};

const withDestinations = (faults: Faults): Faults => ({ ...faults, destinations: true });

const withRelays = (faults: Faults): Faults => ({
  ...faults,
  ...{ mailRelays: true, campaigns: false, journeys: false },
});

const withMailCampaigns = (faults: Faults): Faults => ({
  ...faults,
  ...{ mailRelays: true, campaigns: true, journeys: false },
});

const adjusted: Partial<Record<keyof typeof sabotages, (faults: Faults) => Faults>> = {
  'takes everybody as confirmed': (faults) => ({ ...faults, campaigns: true }),
  'has no daily cap': (faults) => ({ ...faults, dailySendCap: 3 }),
  'lets an org reach another': (faults) => ({ ...faults, orgs: 3 }),
  'confirms reports that it does not keep': (faults) => ({ ...faults, orgs: 2, clients: true }),
  'says its last word a month early': (faults) => ({ ...faults, orgs: 2, clients: true }),
  'counts a send twice': (faults) => ({ ...faults, dailySendCap: null }),
  'gives a mail to a second relay': withRelays,
  'counts a soft bounce twice': withRelays,
  'keeps nothing of a bounce that a relay tells of': withMailCampaigns,
  'counts what a relay has accepted as delivered': withMailCampaigns,
  'forgets what a warm-up has begun today': withMailCampaigns,
  'forgets a receipt that webhooks are to tell of': withDestinations,
  'tells webhooks of a receipt twice': withDestinations,
  'tells every webhook of everything': withDestinations,
  'leaves open what a webhook is not to get any more': withDestinations,
  'counts a delivery of a webhook too many': withDestinations,
  'lets deliveries of a webhook pass one that failed': withDestinations,
};

/** Where looking begins, for a fault that only a later world shows. */
const firstSeeds: Partial<Record<keyof typeof sabotages, number>> = {
  'leaves open what a webhook is not to get any more': 14,
};

for (const [name, expected] of Object.entries(broken) as [
  keyof typeof sabotages,
  readonly Invariant[],
][]) {
  t.test(`a product that ${name} is found out`, async (t) => {
    const adjust = adjusted[name] ?? ((faults) => faults);
    const finding = await firstFinding(sabotages[name], adjust, expected, firstSeeds[name]);
    t.not(finding, undefined, `${expected.join(' or ')} was reported`);
    if (finding !== undefined) shown.add(finding);
  });
}

const app = ordinalIn(7, 2);
const org = ordinalIn(7, 1);
const sendId = 'ntf_planted';
const deviceId = 'dev_planted';

t.test('a warm-up that begins more than its number is found out', async (t) => {
  const findings = new Findings();
  const mails = new MailAudit(findings);
  const warmUp = { domain: 'a.example', startMs: 0, days: [{ max: 3 }], sinceDay: 0, step: 0 };
  const begun = (count: number) => {
    const warmed = { domain: 'a.example', mails: count };
    mails.take({ kind: 'campaign.decided', owner: app, atMs: 1, warmed } as never);
  };
  mails.take({ kind: 'warm_up.saved', owner: app, warmUp } as never);
  begun(2);
  begun(1);
  t.same(findings.all, []);
  begun(1);
  t.equal(findings.first?.invariant, 'warm_up_holds');
  shown.add('warm_up_holds');
});

/** A log with one app, one person and one send to one device. */
function aLog() {
  const findings = new Findings();
  const ledger = new CallLedger(findings);
  const audit = new LogAudit(
    findings,
    1,
    (target) => ledger.settled(target),
    undefined,
    (one, device) => ledger.answerOf(one, device),
  );
  const say = (...entries: (Entry & Record<string, unknown>)[]) => audit.durable(0, 0, entries);
  say(
    { kind: 'org.created', owner: org, org: { dailySendCap: null } },
    { kind: 'app.created', owner: app, app: { org } },
    { kind: 'subscriber.created', owner: app, person: 0, externalUserId: 'ana' },
    {
      kind: 'send.queued',
      owner: app,
      sendId,
      person: 0,
      atMs: 0,
      targets: [{ deviceId, channel: 'sms' }],
      claim: null,
      firstEvent: 1,
    },
  );
  const called = { owner: app, channel: 'sms', atMs: 0 };
  const started = { kind: 'attempts.started', ...called, items: [[sendId, 0]] };
  const settled = (settlement: object, firstEvent = 1) => ({
    kind: 'attempts.settled',
    ...called,
    firstEvent,
    items: [{ sendId, target: 0, deviceId, settlement }],
  });
  const attempt = {
    sendId,
    deviceId,
    channel: 'sms',
    attempt: 1,
    endpoint: '+14155550123',
  } as Attempt;
  const grant: Granted = { app, attempts: [{ attempt }] };
  const reported = () => {
    const { first } = findings;
    if (first !== undefined) shown.add(first.invariant);
    return first?.invariant;
  };
  return { findings, ledger, audit, say, started, settled, attempt, grant, reported };
}

t.test('a sound history is not reported', (t) => {
  const { findings, ledger, audit, say, started, settled, attempt, grant } = aLog();
  say(started);
  ledger.granted(grant, audit, new Set());
  ledger.ended(ledger.started(attempt, true, audit), { outcome: 'accepted' });
  say(settled({ next: 'done', receipt: { status: 'delivered' } }));
  ledger.finish(audit);
  t.same(findings.all, []);
  t.end();
});

t.test('a ninth attempt is reported', (t) => {
  const { say, started, settled, reported } = aLog();
  const retry = settled({ next: 'waiting', dueMs: 0, counted: true });
  for (let i = 0; i < limits.attemptsMax; i++)
    say(started, retry, { kind: 'send.woken', owner: app, sendId, atMs: 1 });
  say(started);
  t.equal(reported(), 'attempts_bounded');
  t.end();
});

t.test('a second start of a started device is reported', (t) => {
  const { say, started, reported } = aLog();
  say(started, started);
  t.equal(reported(), 'target_order');
  t.end();
});

t.test('a start for an erased person is reported', (t) => {
  const { say, started, reported } = aLog();
  say({ kind: 'subscriber.erased', owner: app, person: 0, externalUserId: 'ana' }, started);
  t.equal(reported(), 'erased_is_left_alone');
  t.end();
});

t.test('a redrive of an open send is reported', (t) => {
  const { say, reported } = aLog();
  say({ kind: 'send.redriven', owner: app, sendId, targets: [{ deviceId }] });
  t.equal(reported(), 'dead_letters_counted');
  t.end();
});

t.test('a call beside another is reported', (t) => {
  const { ledger, audit, say, started, settled, attempt, grant, reported } = aLog();
  say(started);
  ledger.granted(grant, audit, new Set());
  ledger.started(attempt, true, audit);
  say(settled({ next: 'due' }), started);
  ledger.granted(grant, audit, new Set());
  ledger.started(attempt, true, audit);
  t.equal(reported(), 'one_call_at_a_time');
  t.end();
});

t.test('a call within the pause that a provider asked for is reported', (t) => {
  for (const [retryAfterMs, atMs, invariant] of [
    [undefined, 29_999, 'pause_obeyed'],
    [undefined, 30_000, undefined],
    [60_000, 59_999, 'pause_obeyed'],
    [1_000, 1_000, undefined],
  ] as const) {
    const { ledger, audit, say, started, settled, attempt, grant, reported } = aLog();
    say(started);
    ledger.granted(grant, audit, new Set());
    const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
    const answer = { outcome: 'rate', reason: '429', ...asked } as const;
    ledger.ended(ledger.started(attempt, false, audit), answer);
    say(settled({ next: 'due' }), { ...started, atMs });
    t.equal(reported(), invariant, `${retryAfterMs} ${atMs}`);
  }
  t.end();
});

t.test('other words than were accepted are reported', (t) => {
  for (const body of ['new words', 'the words that were accepted']) {
    const { findings, ledger, audit, say, started, attempt, grant, reported } = aLog();
    say(started);
    ledger.granted(grant, audit, new Set());
    const content = { body } as Attempt['content'];
    ledger.ended(ledger.started({ ...attempt, content }, false, audit), { outcome: 'accepted' });
    ledger.crashed();
    ledger.finish(audit, new Map([[sendId, 'that were accepted']]));
    if (body === 'new words') t.equal(reported(), 'words_kept');
    else t.same(findings.all, []);
  }
  t.end();
});

t.test('a second acceptance without an excuse is reported, and with one it is not', (t) => {
  for (const outcome of ['retry', 'ambiguous'] as const) {
    const { findings, ledger, audit, say, started, settled, attempt, grant, reported } = aLog();
    for (const last of [false, true]) {
      say(started);
      const again = { ...attempt, attempt: last ? 2 : 1 };
      ledger.granted({ ...grant, attempts: [{ attempt: again }] }, audit, new Set());
      const call = ledger.started(again, true, audit);
      ledger.ended(call, last ? { outcome: 'accepted' } : { outcome, reason: 'reset' });
      if (last) say(settled({ next: 'done', receipt: { status: 'delivered' } }));
      else
        say(settled({ next: 'waiting', dueMs: 0, counted: true }), {
          kind: 'send.woken',
          owner: app,
          sendId,
          atMs: 1,
        });
    }
    ledger.finish(audit);
    if (outcome === 'retry') t.equal(reported(), 'accepted_once');
    else t.same(findings.all, []);
  }
  t.end();
});

t.test('a call in flight at a crash excuses one more acceptance', (t) => {
  const { findings, ledger, audit, say, started, settled, attempt, grant } = aLog();
  say(started);
  ledger.granted(grant, audit, new Set());
  ledger.started(attempt, true, audit);
  ledger.crashed();
  say(
    settled({ next: 'waiting', dueMs: 0, counted: true }),
    { kind: 'send.woken', owner: app, sendId, atMs: 1 },
    started,
  );
  const again = { ...attempt, attempt: 2 };
  ledger.granted({ ...grant, attempts: [{ attempt: again }] }, audit, new Set());
  ledger.ended(ledger.started(again, true, audit), { outcome: 'accepted' });
  say(settled({ next: 'done', receipt: { status: 'delivered' } }));
  ledger.finish(audit);
  t.same(findings.all, []);
  t.end();
});

t.test(
  'a grant to somebody whose opt-out was acknowledged is reported, by the log or by its caller',
  (t) => {
    const byLog = aLog();
    byLog.say(
      { kind: 'suppression.added', owner: app, identityKey: 'phone:+14155550123' },
      byLog.started,
    );
    byLog.ledger.granted(byLog.grant, byLog.audit, new Set());
    t.equal(byLog.reported(), 'suppression_holds');
    const byCaller = aLog();
    byCaller.say(byCaller.started);
    byCaller.ledger.granted(byCaller.grant, byCaller.audit, new Set([`${app}|phone:+14155550123`]));
    t.equal(byCaller.reported(), 'suppression_holds');
    t.end();
  },
);

t.test('a call without an outcome after a drain is reported', (t) => {
  const { ledger, audit, say, started, attempt, grant, reported } = aLog();
  say(started);
  ledger.granted(grant, audit, new Set());
  ledger.started(attempt, true, audit);
  ledger.drained(audit);
  t.equal(reported(), 'drain_is_clean');
  t.end();
});

t.test('a lost tag, a lost device and an erased person who is back are reported', (t) => {
  const view = {
    id: 'sub_1',
    person: 0,
    externalUserId: 'ana',
    displayName: null,
    devices: [],
    tags: {},
    preferredChannels: null,
    timezone: null,
    lastActiveMs: null,
    createdMs: 0,
    updatedMs: 0,
  };
  const person = newPersonModel('ana');
  const reported = (
    change: (person: ReturnType<typeof newPersonModel>) => void,
    isThere = true,
  ) => {
    const findings = new Findings();
    const changed = { ...person, tags: new Map(), devices: new Map(), exists: true };
    change(changed);
    checkPerson(changed, isThere ? view : undefined, new Set(), findings);
    return findings.first?.invariant;
  };
  t.equal(
    reported(() => {}),
    undefined,
  );
  t.equal(
    reported((one) => one.tags.set('plan', 'gold')),
    'acknowledged_kept',
  );
  const device = { channel: 'sms', endpoint: '+14155550123', enabled: true };
  t.equal(
    reported((one) => one.devices.set('sms|+14155550123', device)),
    'acknowledged_kept',
  );
  t.equal(
    reported(() => {}, false),
    'acknowledged_kept',
  );
  t.equal(
    reported((one) => {
      one.exists = false;
    }),
    'acknowledged_kept',
  );
  shown.add('acknowledged_kept');
  t.end();
});

t.test('a send that is twice in the log is reported', (t) => {
  const { say, reported } = aLog();
  say({
    kind: 'send.queued',
    owner: app,
    sendId,
    person: 0,
    atMs: 0,
    targets: [],
    claim: null,
    firstEvent: 1,
  });
  t.equal(reported(), 'accepted_recorded');
  t.end();
});

t.test(
  'a delivery of a webhook with other bytes, or after it was taken, is reported',
  async (t) => {
    for (const again of ['other', 'first']) {
      const findings = new Findings();
      const timeline = new Timeline();
      const note = () => {};
      const rng = seededRng(4, 'receivers');
      const { order } = new WebhookAudit(findings);
      const isHealed = () => true;
      const of = { timeline, rng, findings, note, onPromise: note, isHealed, order };
      const receivers = new Receivers(of);
      const attempt = (body: string) =>
        ({
          ...{ deliveryId: 'whd_1', event: 'message.delivered', body: Buffer.from(body) },
          receiver: { url: 'https://hooks.example.com' },
        }) as never;
      const first = receivers.deliver(attempt('first'), 1, () => true);
      timeline.step();
      t.equal((await first).status, 200);
      t.same(findings.all, []);
      void receivers.deliver(attempt('first'), 2, () => false);
      t.same(findings.all, [], 'the process that heard of it has died');
      void receivers.deliver(attempt(again), again === 'first' ? 1 : 3, () => false);
      t.equal(findings.first?.invariant, 'webhook_once');
    }
    shown.add('webhook_once');
  },
);

t.test(
  'every invariant has been shown to fail, but for those of campaigns and journeys, which have tests of their own',
  (t) => {
    t.same(
      [...new Set([...shown, ...campaignInvariants, ...journeyInvariants])].sort(),
      Object.keys(invariants).sort(),
    );
    t.end();
  },
);
