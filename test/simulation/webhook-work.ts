// What the first worker of an app does with its destinations: saves, disables, removes and rotates
// them, sends deliveries again, and counts what is open. Nobody else changes them.

import { pick } from '../../engine/base/rng.ts';
import { coin, weighted } from './chance.ts';
import { type Client, persist } from './client.ts';
import { readDeliveries } from './webhook-recount.ts';
import { isConflict, isFault, nextName, unexpected, type Worker } from './worker.ts';

const types = ['webhook', 'webhook-b', 'slack'] as const;

const subscriptions: readonly (readonly string[])[] = [
  ['*'],
  ['message.*'],
  ['campaign.*', 'subscriber.unsubscribed'],
  ['message.delivered'],
  ['message.bounced', 'message.failed', 'message.opened'],
  ['campaign.completed', 'message.suppressed', 'delivery.degraded'],
];

/** The first answers mostly; the second never while faults are on, the third often with 410. */
const receivers = [
  'https://hooks.example.com',
  'https://down.example.com',
  'https://gone.example.com',
];

const operations = {
  putDestination: { weight: 6, run: putDestination },
  rotateSecret: { weight: 1, run: rotateSecret },
  removeDestination: { weight: 2, run: removeDestination },
  retryDelivery: { weight: 2, run: retryDelivery },
  retryAll: { weight: 1, run: retryAll },
  countPending: { weight: 3, run: countPending },
} as const;
type Operation = keyof typeof operations;
const weights = Object.fromEntries(
  Object.entries(operations).map(([name, { weight }]) => [name, weight]),
) as Record<Operation, number>;

/** Whether this worker looks after its app's destinations. */
export function ownsDestinations({ app, number, model }: Worker): boolean {
  return model.faults.destinations && number === app.firstWorker;
}

export function* workOnDestinations(worker: Worker): Client {
  if (worker.app.destinations.size === 0) yield* putDestination(worker);
  else yield* operations[weighted(worker.rng, weights)].run(worker);
}

function* putDestination(worker: Worker): Client {
  const { app, rng } = worker;
  const type = pick(rng, types);
  const isSlack = type === 'slack';
  const receiver = coin(rng, 0.7) ? (receivers[0] ?? '') : pick(rng, receivers);
  const input = {
    url: `${receiver}/${nextName(worker)}`,
    freshSecret: `secret of ${type}`,
    events: isSlack ? ['campaign.completed'] : pick(rng, subscriptions),
    headers: {},
    enabled: coin(rng, 0.85),
    concurrency: isSlack ? 1 : pick(rng, [1, 1, 2, 16]),
  };
  const { freshSecret: _fresh, ...ofSlack } = input;
  const { reply } = yield* persist(
    app.ordinal,
    'destination.put',
    { type, input: isSlack ? ofSlack : input },
    { by: app.org },
  );
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'destination.put', reply);
  app.destinations.set(type, input);
}

function* rotateSecret(worker: Worker): Client {
  const { app, rng } = worker;
  const type = pick(rng, types);
  if (type === 'slack' || !app.destinations.has(type)) return;
  const freshSecret = `rotated ${nextName(worker)}`;
  const { reply } = yield* persist(
    app.ordinal,
    'destination.rotate',
    { type, freshSecret },
    { by: app.org },
  );
  if (!app.leaving && !reply.ok) unexpected(worker, 'destination.rotate', reply);
}

function* removeDestination(worker: Worker): Client {
  const { app, rng } = worker;
  const type = pick(rng, types);
  if (!app.destinations.has(type)) return;
  const { reply, lost } = yield* persist(
    app.ordinal,
    'destination.remove',
    { type },
    { by: app.org },
  );
  if (app.leaving) return;
  if (!reply.ok && !(lost > 0 && isFault(reply, 'not_found')))
    return unexpected(worker, 'destination.remove', reply);
  app.destinations.delete(type);
}

/** One delivery that has ended, or has ended by now. */
function* retryDelivery(worker: Worker): Client {
  const { app, rng } = worker;
  const status = pick(rng, ['dead', 'stopped', 'delivered', 'retrying'] as const);
  const { reply: page } = yield* persist(
    app.ordinal,
    'webhook_delivery.list',
    { limit: 5, status },
    { by: app.org },
  );
  if (app.leaving || !page.ok || page.value.items.length === 0) return;
  const { id } = pick(rng, page.value.items);
  const { reply } = yield* persist(app.ordinal, 'webhook_delivery.retry', { id }, { by: app.org });
  if (app.leaving || reply.ok || isConflict(reply) || isFault(reply, 'not_found')) return;
  unexpected(worker, 'webhook_delivery.retry', reply);
}

function* retryAll(worker: Worker): Client {
  const { app, rng } = worker;
  const status = pick(rng, ['dead', 'stopped'] as const);
  const some = coin(rng, 0.3) ? { type: pick(rng, types) } : {};
  for (let cursor: string | undefined; ; ) {
    const { reply } = yield* persist(
      app.ordinal,
      'webhook_delivery.retry_all',
      { status, ...some, ...(cursor === undefined ? {} : { cursor }) },
      { by: app.org },
    );
    if (app.leaving) return;
    if (!reply.ok) return unexpected(worker, 'webhook_delivery.retry_all', reply);
    if (reply.value.nextCursor === null) return;
    cursor = reply.value.nextCursor;
  }
}

/** Where nothing about destinations changes meanwhile, what is open is what each counts. */
function* countPending(worker: Worker): Client {
  const { app, audit, findings } = worker;
  const { version } = audit.webhooks.of(app.ordinal); // before: an answer may be long on its way
  const { reply } = yield* persist(app.ordinal, 'destination.list', {}, { by: app.org });
  if (app.leaving || !reply.ok) return;
  const pending = yield* readDeliveries(app, { status: 'pending' });
  const retrying = yield* readDeliveries(app, { status: 'retrying' });
  if (app.leaving || audit.webhooks.of(app.ordinal).version !== version) return;
  for (const one of reply.value) {
    const open = [...pending, ...retrying].filter(({ type }) => type === one.type).length;
    findings.expect(
      // One of this type that was removed may have some that are not stopped yet.
      open >= one.pending,
      'webhook_pending_exact',
      () => `${one.type} of app ${app.ordinal} has ${one.pending} pending, its ledger ${open}`,
    );
  }
}
