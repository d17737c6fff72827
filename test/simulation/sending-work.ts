// What workers send, with and without keys, and how they hold an answer against what they know.

import type { IdempotencyClaim } from '../../actors/sending/transactional/idempotency-claim.ts';
import type { TransactionalRequest } from '../../actors/sending/transactional/protocol.ts';
import { pick } from '../../engine/base/rng.ts';
import { coin, span, whole } from './chance.ts';
import { ask, type Client, isRepeatable, pause, persist, type Reply } from './client.ts';
import { recordsKeptMs } from './final-checks.ts';
import type { PersonModel } from './model.ts';
import { drawWords } from './template-work.ts';
import { wordsOf } from './tenants.ts';
import {
  channelsUsed,
  isFault,
  keyKeptMs,
  nextName,
  somebody,
  unexpected,
  type Worker,
} from './worker.ts';

type Accepted = { readonly id: string; readonly replayed: boolean };

/** Sends once, with a key or without, again after a lost answer where a key makes that safe. */
export function* sendMessage(worker: Worker): Client {
  const { app, rng } = worker;
  const person = somebody(worker);
  const { request, words } = drawRequest(worker, person);
  const key = coin(rng, 0.6) ? nextName(worker) : undefined;
  const fingerprint = 'first body';
  const patience = key === undefined || coin(rng, 0.3) ? 1 : Number.POSITIVE_INFINITY;
  for (let lost = 0; ; ) {
    const reply = yield* ask(
      app.ordinal,
      'transactional.accept',
      { request, claim: claimOf(key, fingerprint) },
      { by: app.org },
    );
    if (app.leaving) return;
    if (reply === 'lost') {
      lost++;
      if (lost >= patience) {
        worker.model.unsureSends.set(app.org, (worker.model.unsureSends.get(app.org) ?? 0) + 1);
        return;
      }
    } else if (!isRepeatable(reply)) {
      if (!reply.ok) return refused(worker, person, reply);
      worker.findings.expect(
        lost > 0 || !reply.value.replayed,
        'key_replays',
        () => `${reply.value.id} is called a replay of key ${key}, which is new`,
      );
      acknowledged(worker, reply.value.id, words);
      if (key !== undefined) worker.keys.set(key, { sendId: reply.value.id, fingerprint, person });
      return;
    }
    yield* pause(span(rng, 50, 30_000));
  }
}

/** Uses a key again, with the same body or with another. */
export function* reuseKey(worker: Worker): Client {
  const { app, rng, findings, audit } = worker;
  if (worker.keys.size === 0) return;
  const [key, use] = pick(rng, [...worker.keys]);
  const conflicts = coin(rng, 0.3);
  const fingerprint = conflicts ? `${use.fingerprint}, changed` : use.fingerprint;
  const { request } = drawRequest(worker, use.person);
  const claim = claimOf(key, fingerprint);
  const { reply } = yield* persist(
    app.ordinal,
    'transactional.accept',
    { request, claim },
    { by: app.org },
  );
  if (app.leaving) return;
  const acceptedMs = audit.sends.get(use.sendId)?.atMs ?? 0;
  const remembered = worker.latestMs() - acceptedMs < keyKeptMs(worker);
  if (!remembered) {
    if (reply.ok && reply.value.id !== use.sendId) {
      acknowledged(worker, reply.value.id);
      worker.keys.set(key, { ...use, sendId: reply.value.id, fingerprint });
    }
    return;
  }
  if (conflicts) {
    findings.expect(
      isFault(reply, 'idempotency_conflict'),
      'key_conflicts',
      () => `key ${key} with another body: ${JSON.stringify(reply)}`,
    );
    return;
  }
  findings.expect(
    reply.ok && reply.value.id === use.sendId && reply.value.replayed,
    'key_replays',
    () => `key ${key} gave ${use.sendId} and now ${JSON.stringify(reply)}`,
  );
}

/** More sends at once than a provider account takes, so that some are handed back. */
export function* sendBurst(worker: Worker): Client {
  const { app, rng, model } = worker;
  const person = worker.people.find(({ exists, devices }) => exists && devices.size > 0);
  const channel = person === undefined ? undefined : [...person.devices.values()][0]?.channel;
  if (person === undefined || channel === undefined) return;
  const request = requestFor(person, { channels: [channel as (typeof channelsUsed)[number]] });
  for (let i = whole(rng, 70, 100); i > 0; i--) worker.spawn(one());
  yield* pause(1);

  function* one(): Client {
    const reply = yield* ask(
      app.ordinal,
      'transactional.accept',
      { request, claim: null },
      { by: app.org },
    );
    if (reply === 'lost') model.unsureSends.set(app.org, (model.unsureSends.get(app.org) ?? 0) + 1);
    else if (reply.ok && !app.leaving) acknowledged(worker, reply.value.id);
  }
}

/** Reads a send: what has ended does not begin again. */
export function* readSend(worker: Worker): Client {
  const { app, rng, model, findings } = worker;
  const keptFromMs = worker.latestMs() - recordsKeptMs;
  const mine = [...model.sends.values()].filter(
    ({ id, app: of }) => of === app && (worker.audit.sends.get(id)?.atMs ?? 0) >= keptFromMs,
  );
  if (mine.length === 0) return;
  const send = pick(rng, mine);
  const { reply } = yield* persist(
    app.ordinal,
    'transactional.read',
    { id: send.id },
    { by: app.org },
  );
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'transactional.read', reply);
  findings.expect(
    send.status === 'pending' || reply.value.status !== 'pending',
    'acknowledged_kept',
    () => `${send.id} was ${send.status} and reads pending`,
  );
  send.status = reply.value.status;
}

/** Sends dead letters again. */
export function* redrive(worker: Worker): Client {
  const { app } = worker;
  const { reply } = yield* persist(
    app.ordinal,
    'dead_letter.redrive',
    { all: true },
    { by: app.org },
  );
  if (!app.leaving && !reply.ok) unexpected(worker, 'dead_letter.redrive', reply);
}

/** A send was told of; `words` are what it must say when it leaves, where that is known. */
export function acknowledged(worker: Worker, id: string, words?: string): void {
  const { app, model, findings, audit } = worker;
  findings.expect(
    audit.sends.has(id),
    'accepted_recorded',
    () => `${id} was acknowledged and is not in the log`,
  );
  if (!model.sends.has(id)) model.sends.set(id, { id, app, status: 'pending' });
  if (words !== undefined) model.words.set(id, words);
}

function refused(worker: Worker, person: PersonModel, reply: Reply<Accepted>): void {
  if (isFault(reply, 'not_found') && !person.exists) return;
  if (isFault(reply, 'daily_cap') && worker.model.faults.dailySendCap !== null) return;
  unexpected(worker, `send to ${person.externalUserId}`, reply);
}

function drawRequest(
  worker: Worker,
  person: PersonModel,
): { readonly request: TransactionalRequest; readonly words: string } {
  const { rng } = worker;
  const drawn = drawWords(worker);
  const channels = coin(rng, 0.5)
    ? [...new Set([pick(rng, channelsUsed), pick(rng, channelsUsed)])]
    : undefined;
  const ttlSeconds = coin(rng, 0.3) ? Math.ceil(span(rng, 1, 7_200)) : undefined;
  const request: TransactionalRequest = {
    to: { externalUserId: person.externalUserId },
    variables: { code: '1234' },
    ...drawn.request,
    ...(channels === undefined ? {} : { channels }),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
  };
  return { request, words: drawn.wordsOf('1234') };
}

function requestFor(
  person: PersonModel,
  rest: Partial<TransactionalRequest>,
): TransactionalRequest {
  return {
    to: { externalUserId: person.externalUserId },
    title: 'Your code',
    body: 'The code is {{ code }}.',
    variables: { code: '1234' },
    ...rest,
  };
}

function claimOf(key: string | undefined, fingerprint: string): IdempotencyClaim | null {
  if (key === undefined) return null;
  const [a, b, c, d] = wordsOf(key);
  const [high, low] = wordsOf(fingerprint);
  return { key: [a, b, c, d], fingerprint: [high, low] };
}
