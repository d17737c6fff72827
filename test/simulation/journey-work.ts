// What workers do with journeys: they make them, switch them on and off, change and delete them,
// and people do what journeys listen for. What has to hold of all this is judged from the log
// (`journey-audit.ts`); here only that nothing is refused without a reason, and at the end that
// everybody's way ends and that the stats are a recount.

import type { Filter } from '../../actors/audiences/segments/filter.ts';
import { eachStep } from '../../actors/programs/journeys/steps.ts';
import { dayMs, minuteMs } from '../../engine/base/brand.ts';
import { pick } from '../../engine/base/rng.ts';
import { coin, span, whole } from './chance.ts';
import { type Client, pause, persist } from './client.ts';
import type { Findings } from './invariants.ts';
import type { LogAudit } from './log-audit.ts';
import type { AppModel } from './model.ts';
import { drawPlainFilter, isTooLong, noteWindow, sharedNames } from './segment-work.ts';
import { drawTopic } from './topic-work.ts';
import { isConflict, isFault, nextName, somebody, unexpected, type Worker } from './worker.ts';

const channelsNamed = ['fcm', 'email', 'sms', 'telegram', 'line'] as const;
const journeysMax = 8;
const noChange = { input: {}, removed: [] };

/** Makes a journey, and mostly switches it on. */
export function* makeJourney(worker: Worker): Client {
  const { app, rng, journeys, segments } = worker;
  if (journeys.length >= journeysMax) return;
  const about = yield* drawTopic(worker, 0.3);
  if (app.leaving) return;
  const steps = drawSteps(worker, 1).map((step) => aboutTopic(step, about));
  const plain = [...segments].filter(([, filter]) => !filter.includes('atLeast'));
  const trigger =
    plain.length > 0 && coin(rng, 0.3)
      ? { triggerSegmentId: pick(rng, plain)[0] }
      : { triggerEvent: pick(rng, [...sharedNames, 'delivered', 'suppressed', 'opened']) };
  const reentry = coin(rng, 0.6) ? ('always' as const) : ('once' as const);
  const input = { name: nextName(worker), reentry, steps, ...trigger };
  const { reply } = yield* persist(app.ordinal, 'journey.create', { input }, { by: app.org });
  if (app.leaving) return;
  if (!reply.ok) {
    const isGone = 'triggerSegmentId' in trigger && isFault(reply, 'not_found');
    if (!isGone && !isLongOf(steps, reply)) unexpected(worker, 'journey.create', reply);
    return;
  }
  journeys.push(reply.value.id);
  if (coin(rng, 0.9)) yield* turn(worker, reply.value.id, true);
}

/**
 * Pauses, switches on again, changes, corrects, deletes, puts away or replaces one of the worker's
 * journeys; pauses seldom last.
 */
export function* steerJourney(worker: Worker): Client {
  const { app, rng, journeys } = worker;
  if (journeys.length === 0) return;
  const id = pick(rng, journeys);
  const by = { by: app.org };
  const dice = whole(rng, 0, 99);
  if (dice < 35) {
    yield* turn(worker, id, false);
    if (!app.leaving && coin(rng, 0.3)) yield* change(worker, id);
    yield* pause(coin(rng, 0.5) ? 1 : span(rng, 10, 20 * minuteMs));
    if (!app.leaving && coin(rng, 0.8)) yield* turn(worker, id, true);
  } else if (dice < 60) yield* turn(worker, id, true);
  else if (dice < 75) yield* replace(worker, id);
  else if (dice < 80) yield* change(worker, id);
  else if (dice < 86) yield* correct(worker, id);
  else if (dice < 90) {
    const { reply } = yield* persist(app.ordinal, 'journey.delete', { id }, by);
    if (app.leaving || reply.ok) return;
    if (!isConflict(reply) && !isFault(reply, 'not_found'))
      unexpected(worker, 'journey.delete', reply);
  } else if (dice < 96) yield* putAway(worker, id);
  else {
    const ref = { externalUserId: somebody(worker).externalUserId };
    const events = [{ name: pick(rng, sharedNames), afterMinutes: whole(rng, 0, 90) }];
    const { reply } = yield* persist(app.ordinal, 'journey.simulate', { id, ref, events }, by);
    if (!app.leaving && !reply.ok && !isFault(reply, 'not_found'))
      unexpected(worker, 'journey.simulate', reply);
  }
}

/**
 * After the faults: journeys that segments trigger are paused, or people could enter forever, and
 * everybody's way ends.
 */
export function* endJourneys(worker: Worker): Client {
  const { app, findings, latestMs } = worker;
  const untilMs = latestMs() + 4 * dayMs;
  const by = { by: app.org };
  const asked = { limit: 200, archived: 'all' } as const;
  const { reply: list } = yield* persist(app.ordinal, 'journey.list', asked, by);
  if (!list.ok) return unexpected(worker, 'journey.list', list);
  for (const { id, triggerSegmentId, active } of list.value.items)
    if (triggerSegmentId !== undefined && active) yield* turn(worker, id, false);
  for (const { id } of list.value.items)
    for (;;) {
      const { reply } = yield* persist(app.ordinal, 'journey.stats', { id }, by);
      if (!reply.ok) return unexpected(worker, 'journey.stats', reply);
      if (reply.value.inFlow === 0) break;
      if (latestMs() > untilMs)
        return findings.add('journey_ends', `${id}: ${JSON.stringify(reply.value)}`);
      yield* pause(20 * minuteMs);
    }
}

/** At the end of a world: every journey's stats are a recount. */
export function* checkJourneys(
  { audit, findings }: { readonly audit: LogAudit; readonly findings: Findings },
  app: AppModel,
): Client {
  for (const [id, { counts, runs, steps }] of audit.journeys.of(app.ordinal).journeys) {
    const { reply } = yield* persist(app.ordinal, 'journey.stats', { id }, { by: app.org });
    const stats = reply.ok ? reply.value : undefined;
    const counted = { ...counts, inFlow: runs.size };
    const isSame =
      Object.entries(counted).every(([name, count]) => stats?.[name as 'enrolled'] === count) &&
      [...steps].every(([step, { entered, sent }]) => {
        const one = stats?.bySteps[step];
        return one?.entered === entered && one.sent === sent;
      });
    findings.expect(
      isSame,
      'journey_counts',
      () =>
        `${id} reads ${JSON.stringify(stats)}, its log has ${JSON.stringify([counted, ...steps])}`,
    );
  }
}

function* turn(worker: Worker, id: string, active: boolean): Client {
  const { app, rng } = worker;
  const enroll = active && coin(rng, 0.3) ? { enrollExisting: true } : {};
  const body = { id, change: noChange, active, ...enroll };
  const { reply } = yield* persist(app.ordinal, 'journey.update', body, { by: app.org });
  if (app.leaving || reply.ok || isFault(reply, 'not_found')) return;
  if (isConflict(reply) && isPutAway(worker, id)) return;
  // Nobody is in an event.
  if (!('enrollExisting' in enroll && isFault(reply, 'invalid')))
    unexpected(worker, `journey.update ${active}`, reply);
}

/** The log is read before its answers are: what is durable is known. */
function isPutAway({ app, audit }: Worker, id: string): boolean {
  return audit.journeys.of(app.ordinal).journeys.get(id)?.record.archivedMs !== undefined;
}

/** Into the archive, once it is off; sometimes for good. */
function* putAway(worker: Worker, id: string): Client {
  const { app, rng } = worker;
  if (coin(rng, 0.7)) yield* turn(worker, id, false);
  for (const kind of ['journey.archive', 'journey.unarchive'] as const) {
    if (app.leaving || (kind === 'journey.unarchive' && coin(rng, 0.3))) return;
    const { reply } = yield* persist(app.ordinal, kind, { id }, { by: app.org });
    if (!app.leaving && !reply.ok && !isConflict(reply) && !isFault(reply, 'not_found'))
      unexpected(worker, kind, reply);
    yield* pause(span(rng, 10, 20 * minuteMs));
  }
}

/** A copy of it, or one of the others, goes live in its place; it may be off. */
function* replace(worker: Worker, replaces: string): Client {
  const { app, rng, journeys } = worker;
  let id = pick(rng, journeys);
  if (journeys.length < journeysMax || coin(rng, 0.3)) {
    const asked = { id: replaces };
    const { reply } = yield* persist(app.ordinal, 'journey.duplicate', asked, { by: app.org });
    if (app.leaving || isFault(reply, 'not_found') || isConflict(reply)) return;
    if (!reply.ok) return unexpected(worker, 'journey.duplicate', reply);
    id = reply.value.id;
    journeys.push(id);
  }
  if (replaces === id) return;
  const body = { id, change: noChange, active: true, replaces };
  const { reply } = yield* persist(app.ordinal, 'journey.update', body, { by: app.org });
  if (!app.leaving && !reply.ok && !isConflict(reply) && !isFault(reply, 'not_found'))
    unexpected(worker, 'journey.update replaces', reply);
}

function* change(worker: Worker, id: string): Client {
  const { app, rng } = worker;
  const steps = drawSteps(worker, 1);
  const input = coin(rng, 0.7) ? { steps } : { reentry: pick(rng, ['once', 'always'] as const) };
  const body = { id, change: { input, removed: [] } };
  const { reply } = yield* persist(app.ordinal, 'journey.update', body, { by: app.org });
  if (app.leaving || reply.ok) return;
  const isExplained = isConflict(reply) || isFault(reply, 'not_found');
  if (!isExplained && !isLongOf(steps, reply)) unexpected(worker, 'journey.update', reply);
}

/** Another text for one of its send steps, whether it is on or off. */
function* correct(worker: Worker, id: string): Client {
  const { app, rng, audit } = worker;
  const record = audit.journeys.of(app.ordinal).journeys.get(id)?.record;
  const sends: string[] = [];
  eachStep(record?.steps ?? [], (step) => {
    if (step.type === 'send') sends.push(step.id);
  });
  if (sends.length === 0) return;
  const message = { title: 'Corrected for {{ city }}', body: 'For {{ plan }}' };
  const body = { id, step: pick(rng, sends), message };
  const { reply } = yield* persist(app.ordinal, 'journey.correct', body, { by: app.org });
  if (!app.leaving && !reply.ok && !isConflict(reply) && !isFault(reply, 'not_found'))
    unexpected(worker, 'journey.correct', reply);
}

/** Whether a filter of the steps may look beyond the app's retention. */
function isLongOf(steps: readonly object[], reply: Parameters<typeof isFault>[0]): boolean {
  return steps.some((step) => {
    const { filter, then = [], else: otherwise = [] } = step as Partial<Drawn>;
    if (filter !== undefined && isTooLong(filter, reply)) return true;
    return isLongOf(then, reply) || isLongOf(otherwise, reply);
  });
}

interface Drawn {
  readonly filter: Filter;
  readonly then: readonly object[];
  readonly else: readonly object[];
}

/** Sends of the first level are about the topic, if there is one. */
function aboutTopic(step: object, about: { readonly topic?: string }): object {
  return 'message' in step ? { ...step, ...about } : step;
}

/** Up to four steps of any kind, and those in branches. */
function drawSteps(worker: Worker, level: number): object[] {
  return Array.from({ length: whole(worker.rng, 1, level === 1 ? 4 : 2) }, () =>
    drawStep(worker, level),
  );
}

function drawStep(worker: Worker, level: number): object {
  const { rng } = worker;
  const id = nextName(worker);
  const dice = whole(rng, 0, level < 3 ? 9 : 7);
  if (dice < 2) return { id, type: 'wait', minutes: whole(rng, 1, 90) };
  if (dice < 4) {
    const event = pick(rng, [...sharedNames, 'delivered']);
    return { id, type: 'goal', event, timeoutHours: whole(rng, 1, 3) };
  }
  if (dice < 8) {
    const ttl = coin(rng, 0.3) ? { ttlSeconds: Math.ceil(span(rng, 1, 7_200)) } : {};
    const message = { title: 'News of {{ city }}', body: 'For {{ plan }}', ...ttl };
    const some = channelsNamed.filter(() => coin(rng, 0.5));
    return { id, type: 'send', message, ...(some.length > 0 ? { channels: some } : {}) };
  }
  const filter = drawPlainFilter(rng);
  noteWindow(worker, filter);
  const then = drawSteps(worker, level + 1);
  return {
    ...{ id, type: 'condition', filter, then },
    ...(coin(rng, 0.6) ? { else: drawSteps(worker, level + 1) } : {}),
  };
}
