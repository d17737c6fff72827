// What workers do with Live Activities: somebody anonymous registers one, the tenant updates and
// perhaps ends it, tokens rotate. Their sends are in the log and in the ledger as all others are;
// what is asked here is what the registry answers.

import type { LiveActivityState } from '../../storage/tables/live-activity.ts';
import { coin, span, whole } from './chance.ts';
import { type Client, pause, persist } from './client.ts';
import { acknowledged } from './sending-work.ts';
import { bytesOf } from './tenants.ts';
import { isConflict, isFault, nextName, unexpected, type Worker } from './worker.ts';

/**
 * The life of one activity. Nothing but a dead token closes it, and nothing opens one that has
 * ended.
 */
export function* showActivity(worker: Worker): Client {
  const { app, rng, findings } = worker;
  const tokenKey = bytesOf('token key', 32);
  const { reply: login } = yield* persist(app.ordinal, 'sdk.login', { login: { tokenKey } });
  if (app.leaving || isFault(login, 'rate_limited')) return;
  if (!login.ok) return unexpected(worker, 'sdk.login', login);
  const { clientToken } = login.value;
  const newToken = () =>
    Buffer.from(bytesOf(`${app.ordinal} ${nextName(worker)}`, 32)).toString('hex');
  const activity = { activityType: 'Delivery', pushToken: newToken() };
  const { reply: made } = yield* persist(app.ordinal, 'live_activity.register', {
    clientToken,
    activity,
  });
  if (app.leaving) return;
  if (!made.ok) return unexpected(worker, 'live_activity.register', made);
  const { id } = made.value;
  let ended = false;
  for (let steps = whole(rng, 1, 6); steps > 0; steps--) {
    yield* pause(coin(rng, 0.5) ? 1 : span(rng, 100, 60_000));
    if (app.leaving) return;
    if (coin(rng, 0.2)) {
      const pushToken = newToken();
      const body = { id, clientToken, pushToken };
      const { reply, lost } = yield* persist(app.ordinal, 'live_activity.rotate', body);
      if (app.leaving) return;
      // the new token was dead before the answer came
      if (lost > 0 && isConflict(reply)) return;
      if (!reply.ok) return unexpected(worker, 'live_activity.rotate', reply);
      findings.expect(
        reply.value.state === (ended ? 'ended' : 'active'),
        'acknowledged_kept',
        () => `${id} rotated and is ${reply.ok && reply.value.state}`,
      );
      continue;
    }
    const event = coin(rng, 0.2) ? 'end' : 'update';
    const change = { event, contentState: { steps } } as const;
    const { reply, lost } = yield* persist(
      app.ordinal,
      'live_activity.push',
      { id, change, claim: null },
      { by: app.org },
    );
    if (app.leaving) return;
    if (lost > 0)
      worker.model.unsureSends.set(app.org, (worker.model.unsureSends.get(app.org) ?? 0) + lost);
    if (reply.ok) {
      acknowledged(worker, reply.value.id);
      findings.expect(!ended, 'acknowledged_kept', () => `${id} has ended and was pushed to`);
      ended = event === 'end';
    } else if (isConflict(reply)) {
      if (lost > 0 && event === 'end') return; // whether that end, or a dead token, nobody can tell
    } else if (!isFault(reply, 'daily_cap')) return unexpected(worker, 'live_activity.push', reply);
  }
  const { reply: page } = yield* persist(
    app.ordinal,
    'live_activity.list',
    { limit: 200, to: { id: login.value.subscriberId } },
    { by: app.org },
  );
  if (app.leaving || !page.ok) return;
  const state: LiveActivityState | undefined = page.value.items.find((one) => one.id === id)?.state;
  findings.expect(
    state !== undefined && (state === 'ended') === ended,
    'acknowledged_kept',
    () => `${id} ${ended ? 'has ended' : 'goes on'} and is ${state}`,
  );
}
