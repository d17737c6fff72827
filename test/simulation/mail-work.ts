// The mail relays of an app, what their services tell of mails that they took, and a sender domain
// that warms up. Only in worlds that have them. A service tells of a mail at any time, in any
// order, again, and of one that it never had.

import type { RelayEvent, RelayEventKind } from '../../actors/channels/port/relay-events.ts';
import { pick } from '../../engine/base/rng.ts';
import { coin, whole } from './chance.ts';
import { type Client, persist } from './client.ts';
import { identityOf } from './identity-of.ts';
import { isConflict, isFault, nextName, unexpected, type Worker } from './worker.ts';

const relaysMax = 3;
/** So short that a campaign still ends within days. */
const warmDaysMax = 3;

/** Makes a relay, or changes one, or removes it. */
export function* changeRelay(worker: Worker): Client {
  const { app, rng } = worker;
  const relayId = app.relays.length === 0 ? undefined : pick(rng, app.relays);
  if (relayId === undefined || (app.relays.length < relaysMax && coin(rng, 0.3)))
    return yield* addRelay(worker);
  if (coin(rng, 0.1)) {
    app.relays.splice(app.relays.indexOf(relayId), 1);
    const { reply } = yield* persist(app.ordinal, 'relay.delete', { relayId }, { by: app.org });
    if (!app.leaving && !reply.ok && !isFault(reply, 'not_found'))
      unexpected(worker, 'relay.delete', reply);
    return;
  }
  const input = {
    enabled: coin(rng, 0.8),
    order: whole(rng, 1, 3),
    perDay: coin(rng, 0.2) ? whole(rng, 1, 20) : null,
  };
  const body = { relayId, input };
  const { reply } = yield* persist(app.ordinal, 'relay.update', body, { by: app.org });
  if (!app.leaving && !reply.ok && !isFault(reply, 'not_found'))
    unexpected(worker, 'relay.update', reply);
}

function* addRelay(worker: Worker): Client {
  const { app, rng } = worker;
  const input = {
    name: nextName(worker),
    order: whole(rng, 1, 3),
    config: { serverToken: 'x'.repeat(36) },
  };
  const body = { channel: 'email', relayKind: 'postmark', input } as const;
  const { reply } = yield* persist(app.ordinal, 'relay.create', body, { by: app.org });
  if (app.leaving || isConflict(reply)) return;
  if (!reply.ok) return unexpected(worker, 'relay.create', reply);
  const relayId = reply.value.id;
  app.relays.push(relayId);
  if (coin(rng, 0.3)) return;
  const told = yield* persist(app.ordinal, 'relay.reported', { relayId });
  if (!app.leaving && !told.reply.ok && !isFault(told.reply, 'not_found'))
    unexpected(worker, 'relay.reported', told.reply);
}

const kinds: readonly RelayEventKind[] = [
  ...(['accepted', 'delivered', 'delivered', 'deferred'] as const),
  ...(['soft_bounce', 'hard_bounce', 'refused', 'complained', 'unsubscribed'] as const),
];
const bounces: ReadonlySet<RelayEventKind> = new Set(['soft_bounce', 'hard_bounce', 'refused']);

/** What services tell of some mails, perhaps again, and perhaps against what they told before. */
export function* reportMails(worker: Worker): Client {
  const { app, rng, audit, providers } = worker;
  const taken = providers.mails.filter(
    ({ attempt, relay }) => attempt.appId === app.id && relay !== undefined,
  );
  if (taken.length === 0) return;
  const { relay: relayId = '' } = pick(rng, taken);
  const events: RelayEvent[] = [];
  for (let i = whole(rng, 1, 4); i > 0; i--) {
    // Also of a mail that another relay took: the service made it up.
    const call = pick(rng, taken);
    const { sendId, deviceId, endpoint } = call.attempt;
    const kind = pick(rng, kinds);
    const event = { kind, sendId, deviceId, to: String(endpoint), atMs: worker.latestMs() };
    events.push(event, ...(coin(rng, 0.3) ? [event] : []));
    // It is true from now on, whether or not the answer comes.
    if (bounces.has(kind)) call.takenBack = true;
    if (kind === 'hard_bounce') providers.refusedDevices.add(deviceId);
    if (kind === 'complained' || kind === 'unsubscribed') {
      const identity = identityOf('email', endpoint);
      if (identity !== undefined) providers.left.add(`${app.id}|${identity}`);
    }
    providers.told.tell(sendId, deviceId, kind);
  }
  const [first] = events as [RelayEvent];
  // Nobody keeps to which device a mail of a campaign or a journey went.
  const isForged = coin(rng, 0.2) && audit.sends.get(first.sendId)?.isCampaign !== true;
  if (isForged) events.push({ ...first, deviceId: 'dev_forged' });
  const body = { relayId, events: coin(rng, 0.5) ? events : events.reverse() };
  const { reply } = yield* persist(app.ordinal, 'callback.relay', body);
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'callback.relay', reply);
  const { taken: count, repeated, ignored } = reply.value;
  if (ignored > Number(isForged))
    for (const { sendId, deviceId } of events) providers.told.unsure(sendId, deviceId);
  worker.findings.expect(
    count + repeated + ignored === events.length,
    'acknowledged_kept',
    () => `${events.length} events count as ${count}, ${repeated} and ${ignored}`,
  );
}

/** The app sends from a domain that begins to warm up, or is held, or goes on. */
export function* warmUp(worker: Worker): Client {
  const { app, rng } = worker;
  const domain = 'warm.example';
  if (app.leaving) return;
  const key = { selector: 's1', publicKey: 'public', privateKey: 'private' };
  const by = { by: app.org };
  const added = yield* persist(app.ordinal, 'email_domain.add', { domain, key }, by);
  if (app.leaving) return;
  if (!added.reply.ok) return unexpected(worker, 'email_domain.add', added.reply);
  const patch = { email: { fromAddress: `news@${domain}` } };
  yield* persist(app.ordinal, 'settings.patch', { patch }, by);
  const days = Array.from({ length: whole(rng, 1, warmDaysMax) }, () => ({
    max: whole(rng, 1, 4),
  }));
  const { reply } = yield* persist(app.ordinal, 'warm_up.put', { domain, input: { days } }, by);
  if (!app.leaving && !reply.ok) unexpected(worker, 'warm_up.put', reply);
}
