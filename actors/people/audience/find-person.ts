// Finds the person that a call names.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { aliases, type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import type { AppsOf } from '../../area.ts';
import { notFound, unknownId } from '../../faults.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { PersonRef } from './protocol.ts';
import type { PeopleReads } from './reads.ts';

interface Findable {
  readonly people: Pick<PeopleReads, 'canonical' | 'find'>;
}

/** The record of a person, merges followed; `undefined` also for an id of another app. */
export function readPerson(
  app: Findable,
  ref: PersonRef,
  context: Context,
): SubscriberRow | undefined {
  if ('id' in ref) {
    const parts = parseId('sub', ref.id);
    if (parts === undefined || parts.ordinal !== context.owner) return undefined;
    const row = context.documents.get(subscribers, [parts.low32]);
    if (row !== undefined) return row.id === ref.id ? row : undefined;
    const person = app.people.canonical(parts.low32);
    if (person === parts.low32 || context.documents.get(aliases, [parts.low32])?.id !== ref.id)
      return;
    return context.documents.get(subscribers, [person]);
  }
  const person = app.people.find(ref.externalUserId);
  return person === undefined ? undefined : context.documents.get(subscribers, [person]);
}

/** The recipient in a body, or a 404 that names the field. */
export function namedRecipient(
  app: Findable,
  ref: PersonRef,
  context: Context,
): { readonly person: SubscriberRow } | { readonly fault: Fault } {
  const person = readPerson(app, ref, context);
  if (person !== undefined) return { person };
  if ('id' in ref) return { fault: unknownId('subscriberId', 'subscriber', ref.id) };
  const { externalUserId, isPrefixed = false } = ref;
  return {
    fault: isPrefixed
      ? unknownId('subscriberId', 'subscriber', `external:${externalUserId}`)
      : unknownId('externalUserId', 'subscriber', externalUserId),
  };
}

/** Decides about a person of this app, or refuses with 404. */
export function withPerson<R, App extends Findable>(
  state: AppsOf<App>,
  ref: PersonRef,
  context: Context,
  decide: (app: App, row: SubscriberRow) => Decision<R>,
): Decision<R> {
  return withApp(state, context, (app) => {
    const row = readPerson(app, ref, context);
    return row === undefined ? refused(notFound('subscriber')) : decide(app, row);
  });
}
