// What workers do with their app itself: settings, credentials, keys, its deletion; and what they
// try at other orgs'.

import type { CredentialName } from '../../actors/channels/channel-ids.ts';
import { pick } from '../../engine/base/rng.ts';
import { coin, whole } from './chance.ts';
import { type Client, persist } from './client.ts';
import { bytesOf, worldId } from './tenants.ts';
import { isFault, nextName, somebody, unexpected, type Worker } from './worker.ts';

/** The credentials that the simulator's channels send with. */
export const credentialsUsed: readonly CredentialName[] = [
  'fcm',
  'carrier',
  'whatsapp',
  'telegram',
  'line',
];

export function* changeSettings(worker: Worker): Client {
  const { app, rng } = worker;
  const patch = pick(rng, [
    { emailTracking: coin(rng, 0.5) },
    { webhookUrl: coin(rng, 0.5) ? null : `https://hooks.example.com/${whole(rng, 1, 99)}` },
    { eventsRetentionDays: whole(rng, 7, 90) },
  ] as const);
  const { reply } = yield* persist(app.ordinal, 'settings.patch', { patch }, { by: app.org });
  if (app.leaving) return;
  const days = 'eventsRetentionDays' in patch ? patch.eventsRetentionDays : undefined;
  // A saved filter may look back further.
  if (days !== undefined && days < app.longestWindowDays && isFault(reply, 'invalid')) return;
  if (!reply.ok) return unexpected(worker, 'settings.patch', reply);
  for (const [name, value] of Object.entries(patch)) app.settings.set(name, value);
}

export function* changeCredential(worker: Worker): Client {
  const { app, rng } = worker;
  const channel = pick(rng, credentialsUsed);
  if (app.credentials.has(channel) && coin(rng, 0.3)) {
    const { reply, lost } = yield* persist(
      app.ordinal,
      'credential.delete',
      { channel },
      { by: app.org },
    );
    if (app.leaving) return;
    if (!reply.ok && !(lost > 0 && isFault(reply, 'not_found')))
      return unexpected(worker, 'credential.delete', reply);
    app.credentials.delete(channel);
    return;
  }
  const fingerprint = nextName(worker);
  const body = { channel, fingerprint, credential: { secret: fingerprint } };
  const { reply } = yield* persist(app.ordinal, 'credential.put', body, { by: app.org });
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'credential.put', reply);
  app.credentials.set(channel, fingerprint);
}

export function* createKey(worker: Worker): Client {
  const { app } = worker;
  const number = 1_000 * (worker.number + 1) + worker.count++;
  const key = {
    id: worldId('key', number),
    keyId: `key${number}`,
    secretHash: bytesOf(`key ${number}`, 32),
  };
  const body = { name: 'one more', scopes: ['send'], appId: app.id, key } as const;
  const { reply } = yield* persist(app.org, 'key.create', body, { by: app.org });
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'key.create', reply);
  app.keys.add(key.keyId);
}

/** Another org looks at this app, its people and its sends, and must find nothing. */
export function* trespass(worker: Worker): Client {
  const { app, model, rng, findings } = worker;
  const others = model.orgs.filter(({ ordinal }) => ordinal !== app.org);
  if (others.length === 0) return;
  const by = pick(rng, others).ordinal;
  const ref = { externalUserId: somebody(worker).externalUserId };
  const { reply: person } = yield* persist(app.ordinal, 'subscriber.read', { ref }, { by });
  const { reply: settings } = yield* persist(
    app.ordinal,
    'settings.patch',
    { patch: { emailTracking: false } },
    { by },
  );
  for (const reply of [person, settings]) {
    findings.expect(
      isFault(reply, 'not_found'),
      'tenants_apart',
      () => `org ${by} asked for ${app.ordinal} of org ${app.org} and got ${JSON.stringify(reply)}`,
    );
  }
  const mine = [...model.sends.values()].find((send) => send.app === app);
  if (mine === undefined) return;
  const { reply } = yield* persist(app.ordinal, 'transactional.read', { id: mine.id }, { by });
  findings.expect(
    reply.ok && reply.value.status === 'pending' && reply.value.outcomes.length === 0,
    'tenants_apart',
    () => `org ${by} read ${mine.id} of org ${app.org}: ${JSON.stringify(reply)}`,
  );
}

/**
 * Deletes the app: what anybody is answered from then on proves nothing, except that it is gone.
 */
export function* deleteApp(worker: Worker): Client {
  const { app } = worker;
  app.leaving = true;
  const { reply, lost } = yield* persist(app.ordinal, 'app.delete', {}, { by: app.org });
  if (!reply.ok && !(lost > 0 && isFault(reply, 'not_found')))
    return unexpected(worker, 'app.delete', reply);
  app.deleted = true;
}
