// Folds people and opt-outs.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { countKeyless } from './folds.ts';
import type { AudienceMemory } from './memory.ts';
import type { AudienceEntry } from './protocol.ts';

export const audienceApplies: Applies<AudienceEntry, AudienceMemory> = {
  'subscriber.created': (state, { owner, person, externalUserId, atMs, keyless }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.people.add(person, externalUserId);
    app.traits.addPerson(person, atMs);
    if (!keyless) return;
    countKeyless(app, atMs, 1);
    app.monthlyActive.noteUnvouched(person);
  },
  'subscribers.imported': (state, entry) => {
    const app = state.apps.get(entry.owner);
    if (app === undefined) return;
    const { people, ids, idEnds, atMs, tags, reach, countedBytes } = entry;
    let from = 0;
    for (let i = 0; i < people.length; i++) {
      const person = people[i] as PersonOrdinal;
      const end = idEnds[i] as number;
      app.people.addBytes(person, ids, from, end);
      app.traits.addPerson(person, atMs);
      from = end;
    }
    const names = Object.fromEntries(tags.map(({ name }) => [name, true]));
    app.unvouched.noteTags(names, app.traits.tags, false);
    for (const { name, ...column } of tags) app.traits.addTag(name, people, column);
    app.traits.addReach(people, reach);
    app.contact.addAll(people, entry);
    app.stored.addRecords(countedBytes);
  },
  'subscribers.retagged': (state, { owner, people, tags, grewBytes }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    for (const { name, ...column } of tags) app.traits.addTag(name, people, column);
    app.stored.addRecords(grewBytes);
  },
  'endpoints.changed': (state, entry) => {
    const index = state.apps.get(entry.owner)?.endpoints;
    if (index === undefined) return;
    index.key ??= entry.key;
    index.isWhole ||= entry.isWhole === true;
    index.fold(entry);
  },
  'subscriber.changed': (state, { owner, person, vouched }) => {
    if (vouched) state.apps.get(owner)?.monthlyActive.vouch(person);
  },
  'subscriber.identified': (state, { owner, person, externalUserId }) => {
    state.apps.get(owner)?.people.add(person, externalUserId);
  },
  'subscriber.merged': (state, { owner, person, into }) => {
    state.apps.get(owner)?.people.merge(person, into);
  },
  'suppression.added': (state, { owner, identityKey, scope }) => {
    const app = state.apps.get(owner);
    const [one, other] =
      scope === 'marketing'
        ? [app?.marketingOptOuts, app?.suppressions]
        : [app?.suppressions, app?.marketingOptOuts];
    one?.add(identityKey);
    other?.delete(identityKey);
    if (scope === undefined) app?.doubts.endAt(identityKey);
  },
  'suppression.removed': (state, { owner, identityKey }) => {
    const app = state.apps.get(owner);
    app?.suppressions.delete(identityKey);
    app?.marketingOptOuts.delete(identityKey);
  },
  'opt_out.doubted': (state, { owner, doubt }) => {
    state.apps.get(owner)?.doubts.add(doubt);
  },
  'opt_out.settled': (state, { owner, ids, decision }) => {
    const doubts = state.apps.get(owner)?.doubts;
    doubts?.end(ids);
    if (decision === 'expired') doubts?.passed();
  },
};
