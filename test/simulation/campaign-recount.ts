// Counts what became of everybody of an occurrence again, from the turns and receipts in the log,
// and holds the stats that the product kept against it. Of people who were erased in flight, or
// merged, a count is a range: what was said of them before depends on the order of answers.

import { channelIds } from '../../actors/channels/channel-ids.ts';
import type { Funnel } from '../../actors/programs/campaigns/funnel.ts';
import type { CampaignStats } from '../../actors/programs/campaigns/protocol.ts';
import {
  type AppCampaigns,
  type CampaignFact,
  type OccurrenceFact,
  standingOf,
} from './campaign-facts.ts';
import { type Client, persist } from './client.ts';
import type { Findings } from './invariants.ts';
import type { LogAudit } from './log-audit.ts';
import type { TargetFact } from './log-facts.ts';
import type { AppModel } from './model.ts';
import { ToldMails } from './told-mails.ts';

type Range = { least: number; most: number };
type Counter = keyof Funnel;
const counters = [
  ...(['sent', 'accepted', 'delivered', 'opened', 'clicked'] as const),
  ...(['bounced', 'suppressed', 'failed', 'converted', 'unsubscribed', 'complained'] as const),
] satisfies Counter[];

/** The best of a person's devices counts; what is on its way before what never left. */
const outcomes = ['delivered', 'bounced', 'failed', 'accepted', 'suppressed'] as const;

interface Checked {
  readonly audit: LogAudit;
  readonly findings: Findings;
}

/** At the end of a world: every campaign's stats are a recount, and nobody was skipped. */
export function* checkCampaigns(
  { audit, findings }: Checked,
  app: AppModel,
  told = new ToldMails(),
): Client {
  const mine = audit.campaigns.of(app.ordinal);
  for (const campaign of mine.campaigns.values()) {
    const { id, state } = campaign.record;
    const { reply } = yield* persist(app.ordinal, 'campaign.stats', { ids: [id] }, { by: app.org });
    const stats = reply.ok ? reply.value[0] : undefined;
    findings.expect(
      stats?.state === state,
      'acknowledged_kept',
      () => `campaign ${id} is ${state} in the log and reads ${stats?.state}`,
    );
    if (stats === undefined) continue;
    checkStats(mine, campaign, stats, findings, told);
    for (const occurrence of campaign.occurrences.values())
      if (occurrence.endedMs !== undefined && !occurrence.isStopped)
        checkNobodySkipped(mine, campaign, occurrence, findings);
  }
}

function checkStats(
  mine: AppCampaigns,
  { record, occurrences }: CampaignFact,
  stats: CampaignStats,
  findings: Findings,
  told: ToldMails,
): void {
  const expect = (isRight: boolean, detail: () => string) =>
    findings.expect(isRight, 'funnel_exact', () => `${record.id}: ${detail()}`);
  const shown = new Map(stats.occurrences.map((one) => [one.number, one]));
  let eligible = 0;
  let fallbackSent = 0;
  let fallbackNot = 0;
  let handedOut = 0;
  for (const occurrence of occurrences.values()) {
    const said = shown.get(occurrence.number);
    const counted = recount(mine, occurrence, told);
    for (const counter of counters) {
      const { least, most } = counted[counter];
      const count = said === undefined ? -1 : (said[counter] ?? 0);
      expect(
        count >= least && count <= most,
        () => `#${occurrence.number} says ${counter} ${count}, a recount ${least} to ${most}`,
      );
    }
    checkGroups(record, occurrence, said, expect);
    eligible += occurrence.eligible?.size ?? 0;
    const fallback = occurrence.sends.filter(({ phase }) => phase === 'fallback');
    const sentTo = new Set(fallback.map(({ send }) => mine.whole(send.person)));
    fallbackSent += sentTo.size;
    const notSent = [...occurrence.turns]
      .filter(([place, turn]) => turn === 'suppress' && place.startsWith('fallback|'))
      .map(([place]) => mine.whole(Number(place.slice(place.lastIndexOf('|') + 1))));
    fallbackNot += new Set(notSent.filter((person) => !sentTo.has(person))).size;
    handedOut += occurrence.sends
      .flatMap(({ send }) => send.targets)
      .filter(({ status, hasFailed }) => status !== 'suppressed' || hasFailed === true).length;
  }
  expect(
    stats.fallback.eligible === eligible &&
      stats.fallback.sent === fallbackSent &&
      stats.fallback.suppressed === fallbackNot,
    () =>
      `${JSON.stringify(stats.fallback)}, a recount ${eligible}, ${fallbackSent} and ${fallbackNot}`,
  );
  expect(
    stats.devices.sent === handedOut,
    () => `${stats.devices.sent} devices were sent it, a recount ${handedOut}`,
  );
}

/** Everyone counts in the group they were drawn for, whoever they were merged with since. */
function checkGroups(
  { goal }: CampaignFact['record'],
  { number, audience, targeted, reachedGoal }: OccurrenceFact,
  said: CampaignStats['occurrences'][number] | undefined,
  expect: (isRight: boolean, detail: () => string) => void,
): void {
  const heldOut = audience.size - targeted.size;
  expect(
    said?.audience === audience.size && said.holdout.size === heldOut,
    () => `#${number} is to ${said?.audience} without ${said?.holdout.size}`,
  );
  if (goal === undefined || heldOut === 0) return;
  const treated = [...reachedGoal].filter((one) => targeted.has(one)).length;
  const held = reachedGoal.size - treated;
  const { converted } = said?.holdout ?? {};
  expect(
    converted === held && said?.treated?.converted === treated,
    () =>
      `#${number} converted ${converted} held out and ${said?.treated?.converted} treated, a recount ${held} and ${treated}`,
  );
}

function recount(
  mine: AppCampaigns,
  occurrence: OccurrenceFact,
  told: ToldMails,
): Record<Counter, Range> {
  const counts = Object.fromEntries(
    counters.map((counter) => [counter, { least: 0, most: 0 }]),
  ) as Record<Counter, Range>;
  const say = (counter: Counter, isSure: boolean) => {
    counts[counter].most++;
    if (isSure) counts[counter].least++;
  };
  const people = new Set(
    [...occurrence.sends.map(({ send }) => send.person), ...occurrence.suppressed].map((one) =>
      mine.whole(one),
    ),
  );
  for (const person of people) {
    const same = [...mine.same(person)];
    const targets = occurrence.sends
      .filter(({ send }) => same.includes(send.person))
      .flatMap(({ send }) => send.targets);
    const isForgotten = targets.some(({ state }) => state === 'forgotten');
    const isSure = !isForgotten;
    const statuses = new Set(targets.map(({ status }) => status));
    if (same.some((one) => occurrence.suppressed.has(one))) statuses.add('suppressed');
    if (targets.some(({ hasFailed }) => hasFailed)) statuses.add('failed');
    const hasClicked = same.some((one) => occurrence.clicked.has(one));
    const hasOpened = hasClicked || same.some((one) => occurrence.opened.has(one));
    // An open outlives a bounce; and who clicked has opened it.
    if (hasOpened) statuses.add('delivered');
    const best = outcomes.find((one) => statuses.has(one));
    // Somebody erased while a message was on its way counts as sent to, not as suppressed.
    if (best !== undefined) say(best, isSure || best !== 'suppressed');
    const { isHeard } = standingOf(mine, occurrence, person);
    // A person can open what has expired on its way: the app says so of a send that it knows.
    const isSent = isHeard || hasOpened;
    if (isSent || isForgotten) say('sent', isHeard || (hasOpened && isSure));
    const hasConverted = same.some((one) => occurrence.converted.has(one));
    const did = { opened: hasOpened, clicked: hasClicked, converted: hasConverted };
    for (const mark of ['opened', 'clicked', 'converted'] as const)
      if (did[mark]) say(mark, isSure);
      else if (!isSure) counts[mark].most++;
    sayLeft(targets, told, say);
  }
  // A link in the mail, a word in a text or a topic that was left counts as well.
  counts.unsubscribed.most = Number.POSITIVE_INFINITY;
  return counts;
}

/** Who reported a mail as spam, or left by it, as its relay told. */
function sayLeft(
  targets: readonly TargetFact[],
  told: ToldMails,
  say: (counter: Counter, isSure: boolean) => void,
): void {
  for (const way of ['complained', 'unsubscribed'] as const) {
    const mails = targets
      .map((target) => ({ target, mail: told.ofSend(target.sendId, target.deviceId) }))
      .filter(({ mail }) => mail?.kinds.has(way));
    // What nobody was sent, nobody leaves by.
    const isHeard = mails.some(
      ({ target, mail }) => mail?.isUnsure === false && target.answered !== 'suppressed',
    );
    if (mails.length > 0) say(way, isHeard);
  }
}

/**
 * Everybody who was targeted had a turn that ended, on every channel that surely reached them; or
 * is gone, or was merged.
 */
function checkNobodySkipped(
  mine: AppCampaigns,
  { record }: CampaignFact,
  occurrence: OccurrenceFact,
  findings: Findings,
): void {
  const { turns, targeted, reachedOn, eligible } = occurrence;
  const ended = (phase: string, channel: string, person: number) => {
    const turn = turns.get(`${phase}|${channel}|${person}`);
    return turn !== undefined && turn !== 'hold';
  };
  const channels = ['none', ...channelIds];
  const expect = (isRight: boolean, person: number, where: string) =>
    findings.expect(
      isRight,
      'nobody_skipped',
      () => `${person} of ${record.id} #${occurrence.number} has no turn, ${where}`,
    );
  for (const person of targeted) {
    if (mine.gone.has(person) || mine.wasMerged(person)) continue;
    expect(
      channels.some((channel) => ended('primary', channel, person)),
      person,
      'on any channel',
    );
    for (const channel of reachedOn.get(person) ?? [])
      expect(ended('primary', channel, person), person, `on ${channel}`);
  }
  for (const [place, turn] of turns) {
    const person = Number(place.slice(place.lastIndexOf('|') + 1));
    if (turn === 'hold' && !mine.gone.has(person) && !mine.wasMerged(person))
      expect(false, person, `and was held on ${place}`);
  }
  const hasFallback = record.fallbackChannels !== undefined;
  findings.expect(
    !hasFallback || eligible !== undefined,
    'fallback_set',
    () => `${record.id} #${occurrence.number} ended without its fallback`,
  );
  for (const person of eligible ?? []) {
    if (mine.gone.has(person) || mine.wasMerged(person)) continue;
    findings.expect(
      channels.some((channel) => ended('fallback', channel, person)),
      'fallback_set',
      () => `${person} of ${record.id} #${occurrence.number} has no turn in the fallback`,
    );
  }
}
