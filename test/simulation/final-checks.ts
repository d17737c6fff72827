// Reads everything back at the end and holds it against the model and the log: what was
// acknowledged, how every send ended, what was counted.

import type { SendView } from '../../actors/sending/transactional/protocol.ts';
import { dayMs } from '../../engine/base/brand.ts';
import { checkCampaigns } from './campaign-recount.ts';
import { type Client, type Protocol, persist } from './client.ts';
import type { Findings } from './invariants.ts';
import { checkJourneys } from './journey-work.ts';
import type { LogAudit } from './log-audit.ts';
import type { SendFact } from './log-facts.ts';
import { type AppModel, checkPerson, type Model } from './model.ts';
import type { ProviderCalls } from './provider-calls.ts';
import type { Providers } from './providers.ts';
import { checkRollUp } from './roll-up-audit.ts';
import { checkToldMails } from './told-checks.ts';
import { checkWebhooks, type RecountedWebhooks } from './webhook-recount.ts';

/** What the checks look at. */
interface Checked extends RecountedWebhooks {
  readonly model: Model;
  readonly audit: LogAudit;
  readonly ledger: Pick<ProviderCalls, 'refusedMails' | 'finish'>;
  readonly providers: Providers;
  readonly findings: Findings;
  latestMs(): number;
}

/** The shortest retention is a week. A record past it reads as one that never was. */
export const recordsKeptMs = 6 * dayMs;

type Letter = Protocol['dead_letter.list']['reply']['items'][number];

/** Reads the whole world back. Nothing is in flight, and nothing goes wrong any more. */
export function* checkWorld(checked: Checked): Client {
  const { model, providers, findings } = checked;
  for (const { ordinal, apps } of model.orgs) {
    yield* checkTally(checked, ordinal);
    for (const app of apps) {
      if (app.leaving) {
        const { reply } = yield* persist(app.ordinal, 'app.read', {}, { by: app.org });
        findings.expect(
          !reply.ok,
          'acknowledged_kept',
          () => `app ${app.ordinal} was deleted and is back`,
        );
        continue;
      }
      yield* checkApp(checked, app);
      yield* checkSends(checked, app);
      checkMails(checked, app);
      checkToldMails(checked, app);
      yield* checkWebhooks(checked, app);
      if (model.faults.campaigns) yield* checkCampaigns(checked, app, providers.told);
      if (model.faults.journeys) yield* checkJourneys(checked, app);
    }
  }
  // A month that a wrong clock had begun is counted into the one before, by the larger figure.
  if (!checked.audit.isRebased) yield* checkRollUp(model, checked.audit.rollUp, findings);
  const [tooSoon] = checked.providers.tooSoon;
  checked.findings.expect(tooSoon === undefined, 'pending_only', () => String(tooSoon));
  checked.ledger.finish(checked.audit, model.words);
}

function* checkTally({ audit, model, findings }: Checked, org: number): Client {
  const { reply } = yield* persist(org, 'org.tally', {}, { by: org });
  if (!reply.ok) {
    findings.add('tally_exact', `the tally of org ${org}: ${reply.fault.message}`);
    return;
  }
  const { used, resetsMs } = reply.value.daily;
  const counted = audit.tally.get(`${org}|${resetsMs / dayMs - 1}`) ?? 0;
  const day = `${org}|${resetsMs / dayMs - 1}`;
  const ofCampaigns = audit.campaignTally.get(day) ?? 0;
  findings.expect(
    used === counted + ofCampaigns || audit.isRebased,
    'tally_exact',
    () => `org ${org} used ${used} today, its log has ${counted}, and ${ofCampaigns} of campaigns`,
  );
  let queued = 0;
  for (const [day, count] of audit.tally) if (day.startsWith(`${org}|`)) queued += count;
  let acknowledged = 0;
  for (const { app } of model.sends.values()) if (app.org === org) acknowledged++;
  const unsure = model.unsureSends.get(org) ?? 0;
  // A lost call that is repeated after a year off is a new one: its key has expired.
  const isRepeated = model.faults.startClocks === 'right';
  const leaving = model.orgs.some(
    ({ ordinal, apps }) => ordinal === org && apps.some((app) => app.leaving),
  );
  findings.expect(
    acknowledged <= queued && (leaving || isRepeated || queued <= acknowledged + unsure),
    'accepted_recorded',
    () =>
      `org ${org} queued ${queued} sends; ${acknowledged} were acknowledged, ${unsure} left open`,
  );
}

function* checkApp({ audit, model, providers, findings }: Checked, app: AppModel): Client {
  const by = { by: app.org };
  const expect = (condition: boolean, detail: () => string) =>
    findings.expect(condition, 'acknowledged_kept', () => `app ${app.ordinal}: ${detail()}`);
  for (const person of app.people) {
    const ref = { externalUserId: person.externalUserId };
    const { reply } = yield* persist(app.ordinal, 'subscriber.read', { ref }, by);
    checkPerson(person, reply.ok ? reply.value : undefined, providers.refusedDevices, findings);
  }
  for (const [identity, { state, channel, address }] of app.suppressions) {
    const query = { channel, address, limit: 10 } as Omit<
      Protocol['suppression.list']['body'],
      'by'
    >;
    const { reply } = yield* persist(app.ordinal, 'suppression.list', query, by);
    const isThere = reply.ok && reply.value.items.length > 0;
    const name = `${app.id}|${identity}`;
    const byProvider = providers.optedOut.has(name) || providers.left.has(name);
    if (state === 'on') expect(isThere, () => `the opt-out of ${identity} is lost`);
    if (state === 'off') expect(!isThere || byProvider, () => `the opt-out of ${identity} is back`);
  }
  const { reply: settings } = yield* persist(app.ordinal, 'settings.read', {}, by);
  for (const [name, value] of app.settings) {
    const read = settings.ok ? settings.value[name as keyof typeof settings.value] : undefined;
    expect(read === value, () => `setting ${name} is ${String(read)}, wrote ${String(value)}`);
  }
  const { reply: credentials } = yield* persist(app.ordinal, 'credential.list', {}, by);
  const fingerprints = new Map(
    credentials.ok ? credentials.value.map((one) => [one.channel as string, one.fingerprint]) : [],
  );
  fingerprints.delete('webpush');
  const wanted = JSON.stringify([...app.credentials].sort());
  expect(
    JSON.stringify([...fingerprints].sort()) === wanted,
    () => `credentials are ${JSON.stringify([...fingerprints])}, wrote ${wanted}`,
  );
  for (const keyId of app.keys) {
    const { reply } = yield* persist(app.org, 'key.find', { keyId }, by);
    expect(reply.ok && reply.value?.app === app.ordinal, () => `key ${keyId} is lost`);
  }
  const fact = audit.apps.get(app.ordinal);
  // Ids of events are known for as long as events are kept, and machines here are off for longer.
  const isRepeated = model.faults.startClocks === 'right';
  for (const [key, { least, most }] of app.events) {
    const stored = fact?.events.get(key) ?? 0;
    expect(
      stored >= least && (stored <= most || isRepeated),
      () => `events ${key}: ${stored} stored, ${least} to ${most} sent`,
    );
  }
}

function* checkSends({ audit, model, findings, latestMs }: Checked, app: AppModel): Client {
  const letters = yield* readLetters(app);
  for (const fact of audit.sends.values()) {
    if (fact.app !== app.ordinal || fact.isCampaign) continue;
    // Long downtimes: its record may be past retention.
    if (latestMs() - fact.atMs > recordsKeptMs) continue;
    const { reply } = yield* persist(
      app.ordinal,
      'transactional.read',
      { id: fact.id },
      { by: app.org },
    );
    if (!reply.ok) findings.add('accepted_recorded', `${fact.id}: ${reply.fault.message}`);
    else {
      const mine = audit.campaigns.of(app.ordinal);
      const isErased = mine.gone.has(mine.whole(fact.person));
      checkReceipts(fact, reply.value, isErased, findings);
      checkLetters(
        fact,
        reply.value,
        letters.filter(({ sendId }) => sendId === fact.id),
        findings,
      );
    }
  }
  for (const send of model.sends.values())
    findings.expect(
      send.app !== app || audit.sends.has(send.id),
      'accepted_recorded',
      () => `${send.id} was acknowledged and is not in the log`,
    );
}

/** No more soft bounces than mails of which a relay told one, and calls that ended so. */
function checkMails({ audit, ledger, providers, findings }: Checked, app: AppModel): void {
  let most = ledger.refusedMails(app.id);
  for (const { sendId, told } of providers.told.all()) {
    const isSoft = told.kinds.has('soft_bounce') || told.kinds.has('refused');
    if (isSoft && audit.sends.get(sendId)?.app === app.ordinal) most++;
  }
  const counted = audit.mails.softBounces.get(app.ordinal) ?? 0;
  findings.expect(
    counted <= most,
    'mail_counts',
    () => `app ${app.ordinal} counts ${counted} soft bounces, of ${most} mails`,
  );
}

function checkReceipts(
  { id, targets }: SendFact,
  view: SendView,
  isErased: boolean,
  findings: Findings,
): void {
  const isForgotten = targets.some(({ state }) => state === 'forgotten');
  // A relay that reports may never tell what became of a mail that it took.
  const isReported = targets.some(({ status }) => status === 'accepted');
  findings.expect(
    view.status !== 'pending' || isForgotten || isReported,
    'send_ends',
    () => `${id} is pending for ever`,
  );
  for (const { deviceId, state, status } of targets) {
    if (state === 'forgotten') continue;
    // Whose person is erased shows no device: then some receipt says so.
    const newest = view.outcomes.findLast((outcome) =>
      isErased
        ? outcome.deviceId === '' && outcome.status === status
        : outcome.deviceId === deviceId,
    );
    findings.expect(
      newest?.status === status,
      'receipt_per_device',
      () => `${id}/${deviceId} ended ${status} in the log and reads ${newest?.status}`,
    );
  }
}

function checkLetters(
  { id, targets }: SendFact,
  view: SendView,
  letters: readonly Letter[],
  findings: Findings,
): void {
  const recovered = letters.filter(({ recoveredMs }) => recoveredMs !== undefined).length;
  const open = letters.length - recovered;
  findings.expect(
    view.failures.open === open && view.failures.recovered === recovered,
    'dead_letters_counted',
    () =>
      `${id} counts ${JSON.stringify(view.failures)}, its letters are ${JSON.stringify(letters)}`,
  );
  for (const { id: letter, deviceId, redrivenMs, recoveredMs } of letters) {
    const target = targets.find((one) => one.deviceId === deviceId);
    findings.expect(
      redrivenMs === undefined || recoveredMs !== undefined || target?.state === 'forgotten',
      'dead_letters_counted',
      () => `letter ${letter} of ${id} was redriven and never came back`,
    );
  }
}

function* readLetters(app: AppModel): Client<Letter[]> {
  const letters: Letter[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = { limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const { reply } = yield* persist(app.ordinal, 'dead_letter.list', page, { by: app.org });
    if (!reply.ok) return letters;
    letters.push(...reply.value.items);
    if (reply.value.nextCursor === null) return letters;
    cursor = reply.value.nextCursor;
  }
}
