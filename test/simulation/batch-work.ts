// Batches in the simulator: one call to several people, some named twice, some unknown, with a
// template or without, cut into turns where it is dear to render, sent again whole after a lost
// answer and again later in another order. Everybody who was told of must be told the same send
// again, and nobody may be queued twice under a key.

import { resultInFull } from '../../actors/sending/transactional/batch-result.ts';
import { fingerprintWords } from '../../actors/sending/transactional/idempotency-claim.ts';
import type { RecipientResult } from '../../actors/sending/transactional/protocol.ts';
import { pick } from '../../engine/base/rng.ts';
import { coin, span, whole } from './chance.ts';
import { ask, type Client, isRepeatable, pause, type Reply } from './client.ts';
import type { PersonModel } from './model.ts';
import { acknowledged } from './sending-work.ts';
import { drawWords } from './template-work.ts';
import {
  type BatchUse,
  type Drawn,
  isFault,
  keyKeptMs,
  nextName,
  unexpected,
  type Worker,
} from './worker.ts';

/** What became of each recipient, in the order of the last call. */
interface Ended {
  readonly drawn: readonly Drawn[];
  readonly results: readonly RecipientResult[];
  readonly lost: number;
  readonly pass: 'first' | 'again' | 'changed';
}

/** Of these a turn takes a few. */
const dear = '{% for i in (1..4000) %}{% endfor %}';

/** Sends a batch, with a key or without. */
export function* sendBatch(worker: Worker): Client {
  const { rng, people } = worker;
  const key = coin(rng, 0.7) ? nextName(worker) : undefined;
  const shared = drawWords(worker, coin(rng, 0.05) ? dear : '');
  const persons = Array.from({ length: whole(rng, 1, 6) }, () =>
    coin(rng, 0.05) ? undefined : pick(rng, people),
  );
  const request = { ...shared.request, variables: { code: 'of nobody' } };
  const drawn = persons.map((person): Drawn => {
    const code = `code of ${person?.externalUserId ?? 'nobody'}`;
    const to = { externalUserId: person?.externalUserId ?? 'nobody at all' };
    const print = fingerprintWords(JSON.stringify([request, code]));
    const fingerprint = key === undefined ? {} : { fingerprint: print };
    const recipient = { to, variables: { code }, ...fingerprint };
    return { person, words: shared.wordsOf(code), recipient };
  });
  const batch: BatchUse = { key, request, drawn, told: new Map() };
  const ended = yield* deliver(worker, batch, drawn, 'first');
  if (ended === undefined) return;
  check(worker, batch, ended);
  if (key !== undefined) worker.batches.push(batch);
}

/** Sends a batch again, in another order, in part, or with a change. */
export function* replayBatch(worker: Worker): Client {
  const { rng, batches } = worker;
  if (batches.length === 0) return;
  const batch = pick(rng, batches);
  const some = shuffled(worker, batch.drawn).slice(0, whole(rng, 1, batch.drawn.length));
  const changes = coin(rng, 0.2);
  const drawn = some.map((one): Drawn => {
    if (!changes) return one;
    const fingerprint = fingerprintWords(`${one.words}, changed`);
    return { ...one, recipient: { ...one.recipient, fingerprint } };
  });
  const ended = yield* deliver(worker, batch, drawn, changes ? 'changed' : 'again');
  // Without an answer nobody knows what the keys stand for.
  if (ended === undefined) batches.splice(batches.indexOf(batch), 1);
  else check(worker, batch, ended);
}

/**
 * All of a batch, turn by turn; from the beginning and in another order where an answer was lost
 * and a key makes it safe.
 */
function* deliver(
  worker: Worker,
  batch: BatchUse,
  first: readonly Drawn[],
  pass: Ended['pass'],
): Client<Ended | undefined> {
  const { app, rng, model, findings } = worker;
  const patience = batch.key === undefined || coin(rng, 0.2) ? 1 : Number.POSITIVE_INFINITY;
  let drawn = first;
  let results: RecipientResult[] = [];
  let claimed: readonly number[] = [];
  let { request } = batch;
  for (let lost = 0; ; ) {
    const rest = drawn.slice(results.length).map(({ recipient }) => recipient);
    const body = { request, key: batch.key ?? null, recipients: rest, claimed };
    const reply = yield* ask(app.ordinal, 'transactional.accept_batch', body, { by: app.org });
    if (app.leaving) return undefined;
    if (reply === 'lost') {
      lost++;
      for (const [i, result] of results.entries())
        tell(worker, batch, drawn[i] as Drawn, result, pass);
      if (lost >= patience) {
        model.unsureSends.set(app.org, (model.unsureSends.get(app.org) ?? 0) + rest.length);
        return undefined;
      }
      drawn = shuffled(worker, drawn);
      results = [];
      claimed = [];
      request = batch.request;
    } else if (!isRepeatable(reply)) {
      if (!reply.ok)
        return rest.length === 0
          ? undefined
          : stopped(worker, batch, drawn, results, { lost, pass }, reply);
      findings.expect(
        reply.value.results.length > 0,
        'acknowledged_kept',
        () => `a turn of batch ${batch.key} took nobody`,
      );
      const { run } = reply.value;
      for (const result of reply.value.results) results.push(resultInFull(result, run));
      ({ claimed } = reply.value);
      request = reply.value.request ?? request;
      if (results.length >= drawn.length) return { drawn, results, lost, pass };
      continue;
    }
    yield* pause(span(rng, 50, 30_000));
  }
}

/**
 * A turn that was refused whole: there is no room for the first that is new, or the template is
 * gone and nobody is known.
 */
function stopped(
  worker: Worker,
  batch: BatchUse,
  drawn: readonly Drawn[],
  results: readonly RecipientResult[],
  { lost, pass }: Pick<Ended, 'lost' | 'pass'>,
  reply: Reply<unknown>,
): Ended | undefined {
  const isFull = isFault(reply, 'daily_cap') && worker.model.faults.dailySendCap !== null;
  const isGone = isFault(reply, 'not_found') && !hasTemplate(worker, batch) && results.length === 0;
  if (!isFull && !isGone) {
    unexpected(worker, `batch ${batch.key}`, reply);
    return undefined;
  }
  // With no room for the first that is new a turn is refused whole, and tells nothing of those whom
  // it knows.
  if (isFull) return { drawn: drawn.slice(0, results.length), results, lost, pass };
  const none = drawn.map(
    ({ person }): RecipientResult => ({
      outcome: person?.exists === true ? 'invalid' : 'not_found',
    }),
  );
  return { drawn, results: none, lost, pass };
}

/** Holds what was answered against what is known. */
function check(worker: Worker, batch: BatchUse, ended: Ended): void {
  const { findings, model } = worker;
  const queued = new Set<PersonModel>();
  ended.drawn.forEach((drawn, i) => {
    const { person } = drawn;
    const result = ended.results[i] as RecipientResult;
    const { outcome } = result;
    const known = person === undefined ? undefined : batch.told.get(person);
    const expected = expectedOf(worker, batch, ended, drawn, queued.has(person as PersonModel));
    const isExcused =
      (outcome === 'failed' && model.faults.dailySendCap !== null) ||
      (outcome === 'invalid' && !hasTemplate(worker, batch));
    const isSure =
      expected.length === 1 && (expected[0] === 'replayed' || expected[0] === 'conflict');
    findings.expect(
      expected.includes(outcome) || (isExcused && !isSure && person?.exists === true),
      expected[0] === 'conflict' ? 'key_conflicts' : 'key_replays',
      () =>
        `${person?.externalUserId} of batch ${batch.key} is ${JSON.stringify(result)}, expected ${expected}; told before: ${known?.sendId}`,
    );
    tell(worker, batch, drawn, result, ended.pass);
    if (person !== undefined && outcome === 'queued') queued.add(person);
  });
}

/** What may be answered of one recipient. */
function expectedOf(
  worker: Worker,
  batch: BatchUse,
  { lost, pass }: Ended,
  { person }: Drawn,
  isQueued: boolean,
): readonly RecipientResult['outcome'][] {
  if (person?.exists !== true) return ['not_found'];
  if (batch.key === undefined) return ['queued'];
  if (isQueued) return ['in_flight'];
  const known = batch.told.get(person);
  if (known === undefined) return lost > 0 ? ['queued', 'replayed'] : ['queued'];
  if (!isBound(worker, known, person)) return ['queued', 'replayed', 'conflict'];
  return [(pass === 'changed') === known.changed ? 'replayed' : 'conflict'];
}

/** Whether the key must still give this send: within a day, if nobody took the person's place. */
function isBound(
  worker: Worker,
  { sendId, subscriberId }: { readonly sendId: string; readonly subscriberId: string | undefined },
  person: PersonModel,
): boolean {
  const acceptedMs = worker.audit.sends.get(sendId)?.atMs ?? 0;
  const isRemembered = worker.latestMs() - acceptedMs < keyKeptMs(worker);
  return isRemembered && subscriberId !== undefined && subscriberId === person.id;
}

/** Takes in a send that was told of. */
function tell(
  worker: Worker,
  batch: BatchUse,
  { person, words }: Drawn,
  result: RecipientResult,
  pass: Ended['pass'],
): void {
  const { id, outcome } = result;
  if (id === undefined || person === undefined) return;
  const known = batch.told.get(person);
  // A call whose answer was lost queued another send, if the key no longer gave the known one.
  const mayBeAnother =
    known === undefined || outcome === 'queued' || !isBound(worker, known, person);
  worker.findings.expect(
    mayBeAnother || known.sendId === id,
    'key_replays',
    () => `${person.externalUserId} of batch ${batch.key} was ${known?.sendId} and is ${id}`,
  );
  // Words of a template may be others by the time that somebody is queued by a later call.
  acknowledged(worker, id, pass === 'first' ? words : undefined);
  const changed = known?.sendId === id ? known.changed : pass === 'changed';
  batch.told.set(person, { sendId: id, subscriberId: person.id, changed });
}

function hasTemplate({ templates }: Worker, { request: { templateName } }: BatchUse): boolean {
  return templateName === undefined || templates.has(templateName);
}

function shuffled(worker: Worker, drawn: readonly Drawn[]): readonly Drawn[] {
  const all = [...drawn];
  for (let i = all.length - 1; i > 0; i--) {
    const other = whole(worker.rng, 0, i);
    [all[i], all[other]] = [all[other] as Drawn, all[i] as Drawn];
  }
  return all;
}
