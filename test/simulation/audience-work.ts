// What workers do with people, devices, opt-outs and events, and what they then know.

import { packRows } from '../../actors/people/audience/import/pack-rows.ts';
import { dayMs, type Millis } from '../../engine/base/brand.ts';
import { pick } from '../../engine/base/rng.ts';
import { coin, whole } from './chance.ts';
import { ask, type Client, isRepeatable, pause, persist } from './client.ts';
import { identityOf } from './identity-of.ts';
import { checkPerson, type PersonModel } from './model.ts';
import { sharedNames } from './segment-work.ts';
import { type Endpoint, isFault, nextName, somebody, unexpected, type Worker } from './worker.ts';

/** Creates or changes a person; devices may come from another person of the worker. */
export function* upsertPerson(worker: Worker): Client {
  const { app, rng, findings, providers } = worker;
  const person = somebody(worker);
  const devices = drawDevices(worker, whole(rng, 0, 2));
  const tags = drawTags(worker);
  const subscriber = { externalUserId: person.externalUserId, tags, devices };
  const { reply } = yield* persist(
    app.ordinal,
    'subscriber.upsert',
    { subscriber },
    { by: app.org },
  );
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'upsert', reply);
  person.exists = true;
  patchTags(person, tags);
  for (const device of devices) register(worker, person, device, device.enabled);
  checkPerson(person, reply.value.subscriber, providers.refusedDevices, findings);
}

/**
 * Imports a slice in which the same people and endpoints come more than once, sometimes with a bad
 * row among them.
 */
export function* importPeople(worker: Worker): Client {
  const { app, rng } = worker;
  const rows = Array.from({ length: whole(rng, 1, 8) }, () => {
    const person = somebody(worker);
    const { tags, devices } =
      person.exists && coin(rng, 0.5)
        ? rowAgain(worker, person)
        : { tags: drawTags(worker), devices: drawDevices(worker, whole(rng, 0, 2)) };
    const bad = coin(rng, 0.1);
    const row = { externalUserId: person.externalUserId, tags, devices };
    return { person, bad, row: bad ? { ...row, tags: { ...tags, $bad: 1 } } : row };
  });
  const good = rows.filter(({ bad }) => !bad);
  const existed = new Set(good.filter(({ person }) => person.exists).map(({ person }) => person));
  const people = new Set(good.map(({ person }) => person));
  const { reply, lost } = yield* persist(
    app.ordinal,
    'subscriber.import',
    packRows(
      rows.map(({ row }) => row),
      1,
    ),
    { by: app.org, lane: 'bulk' },
  );
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'import', reply);
  const { handled, created, updated, errors } = reply.value;
  const isRight =
    handled === rows.length &&
    created + updated === good.length &&
    errors.length === rows.length - good.length &&
    (created === people.size - existed.size || (lost > 0 && created === 0));
  if (!isRight) return unexpected(worker, `import (${JSON.stringify(reply.value)})`, reply);
  for (const { person, row } of good) {
    person.exists = true;
    patchTags(person, importable(person, row.tags));
    for (const device of row.devices) register(worker, person, device, device.enabled);
  }
}

/** An import brings nobody back into a topic. */
function importable({ tags: now }: PersonModel, tags: Parameters<typeof patchTags>[1]) {
  const taken = Object.entries(tags).filter(
    ([name]) => !name.startsWith('topic.') || now.get(name) !== 'out',
  );
  return Object.fromEntries(taken);
}

/** As a file that comes every night has it: the same devices and tags, and other values. */
function rowAgain({ rng, endpoints }: Worker, { tags, devices }: PersonModel) {
  const values = [...tags.keys()].map((name) => [
    name,
    name.startsWith('topic.')
      ? pick(rng, ['in', 'out'])
      : coin(rng, 0.5)
        ? whole(rng, 0, 99)
        : 'Riga',
  ]);
  const own = endpoints.filter(
    ({ channel, endpoint }) => devices.get(`${channel}|${String(endpoint)}`)?.enabled === true,
  );
  return {
    tags: Object.fromEntries(values) as Record<string, string | number>,
    devices: own.map((one): Endpoint & { readonly enabled?: boolean } => ({ ...one })),
  };
}

/** Imports all of the worker's people, so that there is somebody to send to. */
export function* importEverybody(worker: Worker): Client {
  const { app, people } = worker;
  const rows = people.map(({ externalUserId }) => ({
    externalUserId,
    devices: drawDevices(worker, 3),
  }));
  const body = packRows(rows, 1);
  const { reply } = yield* persist(app.ordinal, 'subscriber.import', body, { by: app.org });
  if (app.leaving) return;
  if (!reply.ok || reply.value.errors.length > 0) return unexpected(worker, 'import', reply);
  for (const [index, person] of people.entries()) {
    person.exists = true;
    for (const device of rows[index]?.devices ?? [])
      register(worker, person, device, device.enabled);
  }
}

/** Changes tags of a person who may not exist. */
export function* patchPerson(worker: Worker): Client {
  const { app } = worker;
  const person = somebody(worker);
  const tags = drawTags(worker);
  const ref = { externalUserId: person.externalUserId };
  const { reply } = yield* persist(
    app.ordinal,
    'subscriber.patch',
    { ref, patch: { tags } },
    { by: app.org },
  );
  if (app.leaving) return;
  if (reply.ok && person.exists) patchTags(person, tags);
  else if (reply.ok || person.exists || !isFault(reply, 'not_found'))
    unexpected(worker, 'patch', reply);
}

export function* readPerson(worker: Worker): Client {
  const { app, rng, findings, providers } = worker;
  const person = somebody(worker);
  const ref =
    person.id !== undefined && coin(rng, 0.5)
      ? { id: person.id }
      : { externalUserId: person.externalUserId };
  const { reply } = yield* persist(app.ordinal, 'subscriber.read', { ref }, { by: app.org });
  if (app.leaving) return;
  if (!reply.ok && !isFault(reply, 'not_found')) return unexpected(worker, 'read', reply);
  checkPerson(person, reply.ok ? reply.value : undefined, providers.refusedDevices, findings);
}

export function* erasePerson(worker: Worker): Client {
  const { app } = worker;
  const person = somebody(worker);
  const ref = { externalUserId: person.externalUserId };
  const { reply, lost } = yield* persist(app.ordinal, 'subscriber.erase', { ref }, { by: app.org });
  if (app.leaving) return;
  const expected = reply.ok
    ? person.exists
    : isFault(reply, 'not_found') && (!person.exists || lost > 0);
  if (!expected) return unexpected(worker, 'erase', reply);
  person.exists = false;
  if (person.id !== undefined) person.pastIds.add(person.id);
  person.id = undefined;
  person.tags.clear();
  person.devices.clear();
}

/** Adds a device, switches one on or off, or removes one. */
export function* changeDevice(worker: Worker): Client {
  const { app, rng } = worker;
  const by = { by: app.org };
  const person = somebody(worker);
  const ref = { externalUserId: person.externalUserId };
  if (!person.exists) return;
  if (person.devices.size === 0 || coin(rng, 0.4)) {
    const [device] = drawDevices(worker, 1);
    if (device === undefined) return;
    const { reply } = yield* persist(app.ordinal, 'device.add', { ref, device }, by);
    if (app.leaving) return;
    if (!reply.ok) return unexpected(worker, 'device.add', reply);
    register(worker, person, device, device.enabled ?? true);
    return;
  }
  const read = yield* persist(app.ordinal, 'subscriber.read', { ref }, by);
  if (app.leaving) return;
  if (!read.reply.ok) return unexpected(worker, 'read', read.reply);
  const device = pick(rng, read.reply.value.devices);
  const key = `${device.channel}|${String(device.endpoint)}`;
  if (coin(rng, 0.6)) {
    const enabled = coin(rng, 0.6);
    const { reply } = yield* persist(
      app.ordinal,
      'device.enable',
      { ref, deviceId: device.id, enabled },
      by,
    );
    if (app.leaving) return;
    if (!reply.ok) return unexpected(worker, 'device.enable', reply);
    const known = person.devices.get(key);
    if (known !== undefined) known.enabled = enabled;
    return;
  }
  const { reply, lost } = yield* persist(
    app.ordinal,
    'device.remove',
    { ref, deviceId: device.id },
    by,
  );
  if (app.leaving) return;
  if (!reply.ok && !(lost > 0 && isFault(reply, 'not_found')))
    return unexpected(worker, 'device.remove', reply);
  person.devices.delete(key);
}

/** Opts an address in or out. */
export function* changeSuppression(worker: Worker): Client {
  const { app, model, rng } = worker;
  const { channel, endpoint } = pick(rng, worker.endpoints);
  const identity = identityOf(channel, endpoint);
  const body = { channel, address: endpoint };
  if (identity === undefined) {
    const { reply } = yield* persist(
      app.ordinal,
      'suppression.add',
      { ...body, source: 'api' },
      { by: app.org },
    );
    if (!app.leaving && !isFault(reply, 'invalid'))
      unexpected(worker, 'suppression of push', reply);
    return;
  }
  const known = app.suppressions.get(identity)?.state;
  const name = `${app.ordinal}|${identity}`;
  if (known !== 'on' || coin(rng, 0.3)) {
    const scope = coin(rng, 0.5) ? ({ scope: 'marketing' } as const) : {};
    const { reply } = yield* persist(
      app.ordinal,
      'suppression.add',
      { ...body, source: 'api', ...scope },
      { by: app.org },
    );
    if (app.leaving) return;
    if (!reply.ok) return unexpected(worker, 'suppression.add', reply);
    app.suppressions.set(identity, { state: 'on', channel, address: endpoint });
    model.optedOut.add('scope' in scope ? `marketing ${name}` : name);
    return;
  }
  model.optedOut.delete(name);
  model.optedOut.delete(`marketing ${name}`);
  app.suppressions.set(identity, { state: 'unsure', channel, address: endpoint });
  const { reply, lost } = yield* persist(app.ordinal, 'suppression.remove', body, { by: app.org });
  if (app.leaving) return;
  if (!reply.ok && !(lost > 0 && isFault(reply, 'not_found')))
    return unexpected(worker, 'suppression.remove', reply);
  app.suppressions.set(identity, { state: 'off', channel, address: endpoint });
}

/** What destinations of webhooks are told by the service alone, whatever clients track. */
const noticeNames = ['delivery.degraded', 'campaign.completed', 'campaign.failed'] as const;

/**
 * Sends a batch of events: new ones and repeated ids, again after a lost answer, and sometimes with
 * a bad one in it.
 */
export function* trackEvents(worker: Worker): Client {
  const { app, rng, findings, audit } = worker;
  const unique = nextName(worker);
  const name = drawName(worker) ?? unique;
  const events: Readonly<Record<string, unknown>>[] = [];
  const freshIds: string[] = [];
  const people = new Set<PersonModel>();
  const withoutId = new Map<string, number>();
  for (let i = whole(rng, 1, 5); i > 0; i--) {
    const person = somebody(worker);
    const who =
      person.exists && person.id !== undefined && coin(rng, 0.3)
        ? { subscriberId: person.id }
        : { externalUserId: person.externalUserId };
    const key = `${name}|${person.externalUserId}`;
    if (coin(rng, 0.6)) {
      const repeats = person.exists && worker.eventIds.length > 0 && coin(rng, 0.3);
      const id = repeats ? pick(rng, worker.eventIds) : `${unique}e${i}`;
      if (!repeats) freshIds.push(id);
      events.push({ name, id, ...who, ...drawAt(worker) });
      if (person.exists && coin(rng, 0.1)) events.push({ name, id, ...who });
      app.events.set(key, {
        least: app.events.get(key)?.least ?? 0,
        most: (app.events.get(key)?.most ?? 0) + 1,
      });
    } else {
      events.push({ name, props: { n: i }, ...who, ...drawAt(worker) });
      withoutId.set(key, (withoutId.get(key) ?? 0) + 1);
    }
    people.add(person);
  }
  const bad = coin(rng, 0.1) ? 1 : 0;
  if (bad === 1) events.push({ name: 'delivered', externalUserId: 'forger' });
  const drawnMs = worker.latestMs();
  // Giving up leaves it open whether people were made; so only for those who are there.
  const patience =
    [...people].every(({ exists }) => exists) && coin(rng, 0.3) ? 1 : Number.POSITIVE_INFINITY;
  for (let lost = 0; ; ) {
    const bytes = batchOf(app.id, events, worker.latestMs() - drawnMs);
    const options = { by: app.org, bytes, lane: 'bulk' } as const;
    const reply = yield* ask(app.ordinal, 'events.ingest', { keyless: coin(rng, 0.3) }, options);
    if (app.leaving) return;
    if (reply === 'lost') {
      lost++;
      for (const [key, count] of withoutId) widen(worker, key, 0, count);
      if (lost >= patience) return;
    } else if (!isRepeatable(reply)) {
      if (
        !reply.ok ||
        reply.value.accepted !== events.length - bad ||
        reply.value.rejected !== bad
      ) {
        return unexpected(worker, `events ${name} (${JSON.stringify(reply)})`, reply);
      }
      for (const person of people) person.exists = true;
      for (const [key, count] of withoutId) widen(worker, key, count, count);
      for (const id of freshIds) {
        app.eventIds.add(id);
        worker.eventIds.push(id);
        findings.expect(
          audit.apps.get(app.ordinal)?.eventIds.has(id) === true,
          'acknowledged_kept',
          () => `event ${id} was acknowledged and is not in the log`,
        );
      }
      return;
    }
    yield* pause(whole(rng, 100, 20_000));
  }
}

/** One that others use, too; `undefined` for one of its own. */
function drawName({ model, rng }: Worker): string | undefined {
  if (model.faults.destinations && coin(rng, 0.1)) return pick(rng, noticeNames);
  return coin(rng, 0.6) ? pick(rng, sharedNames) : undefined;
}

/** After an outage of months the events are sent without their times, which would be refused. */
function batchOf(
  appId: string,
  events: readonly Readonly<Record<string, unknown>>[],
  ageMs: Millis,
) {
  const sent = ageMs < 30 * dayMs ? events : events.map(({ at: _at, ...event }) => event);
  return Buffer.from(JSON.stringify({ appId, events: sent }));
}

/**
 * Some events come days late, and not later than the shortest retention takes after days of trying.
 */
function drawAt({ rng, latestMs }: Worker): { readonly at?: string } {
  if (!coin(rng, 0.3)) return {};
  const beside = pick(rng, [0, 0, -1, 1, whole(rng, 0, dayMs)]);
  return { at: new Date(latestMs() - pick(rng, [1, 1, 2]) * dayMs - beside).toISOString() };
}

export function widen({ app }: Worker, key: string, least: number, most: number): void {
  const known = app.events.get(key) ?? { least: 0, most: 0 };
  app.events.set(key, { least: known.least + least, most: known.most + most });
}

function drawDevices(worker: Worker, count: number): (Endpoint & { readonly enabled?: boolean })[] {
  const { rng, endpoints } = worker;
  const chosen = new Set<Endpoint>();
  for (let i = 0; i < count; i++) chosen.add(pick(rng, endpoints));
  return [...chosen].map((one) => (coin(rng, 0.1) ? { ...one, enabled: false } : { ...one }));
}

function drawTags({ rng }: Worker): Record<string, string | number | null> {
  const tags: Record<string, string | number | null> = {};
  for (let i = whole(rng, 0, 2); i > 0; i--) {
    tags[pick(rng, ['plan', 'city', 'age'])] = coin(rng, 0.2)
      ? null
      : coin(rng, 0.5)
        ? whole(rng, 0, 99)
        : 'Riga';
  }
  return tags;
}

export function patchTags(person: PersonModel, tags: Record<string, string | number | null>): void {
  for (const [key, value] of Object.entries(tags)) {
    if (value === null) person.tags.delete(key);
    else person.tags.set(key, value);
  }
}

/**
 * A device is where it was registered last. `enabled` is left out by an upsert that does not say:
 * it stays as it is.
 */
export function register(
  worker: Worker,
  person: PersonModel,
  device: Endpoint,
  enabled: boolean | undefined,
): void {
  const { channel, endpoint } = device;
  const key = `${channel}|${endpoint}`;
  for (const other of worker.people) if (other !== person) other.devices.delete(key);
  const before = person.devices.get(key)?.enabled;
  person.devices.set(key, { channel, endpoint, enabled: enabled ?? before ?? true });
}
