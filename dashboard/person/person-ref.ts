// How a person is named: by the tags that make a name, by the caller's own id, or by ours.

import type { Device, Subscriber } from '../api/generated.ts';

/** What the API takes where it asks for a person. */
export function personRef(typed: string): string {
  const text = typed.trim();
  return text.startsWith('sub_') || text.startsWith('external:') ? text : `external:${text}`;
}

type Ids = Pick<Subscriber, 'externalUserId' | 'id'>;

export function personId({ externalUserId, id }: Ids): string {
  return externalUserId ?? id;
}

/** For titles and questions. Lists show the id as well (`PersonName`). */
export function personName(person: Ids & Pick<Subscriber, 'displayName'>): string {
  return person.displayName ?? personId(person);
}

/** The address as a person reads it; of a browser, its push service. */
export function addressOf({ endpoint }: Pick<Device, 'endpoint'>): string {
  return typeof endpoint === 'string' ? endpoint : endpoint.endpoint;
}

/** An address that tells people apart: an email or a phone number before a push token. */
export function bestAddress({ devices }: Pick<Subscriber, 'devices'>): string | undefined {
  const told = devices.find(({ channel }) => channel === 'email') ?? devices.find(isPhone);
  return told === undefined ? undefined : addressOf(told);
}

function isPhone({ endpoint }: Device): boolean {
  return typeof endpoint === 'string' && endpoint.startsWith('+');
}
