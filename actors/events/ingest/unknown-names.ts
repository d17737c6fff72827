// The members of a call that nobody reads, each name once: an answer names them, since a dropped
// `timestamp` stores the event at the wrong instant. A known member costs nothing here.

import { Buffer } from 'node:buffer';
import type { UnknownMember } from '../../faults.ts';
import {
  meantBy,
  type OtherNames,
  unknownMembersMax,
  unknownNameCharsMax,
  unknownWarning,
} from '../../near-name.ts';
import { bodyMembers, eventMembers } from './event-schema.ts';

/** Names that other products use for members of an event. */
const otherEventNames: OtherNames = {
  event: 'name',
  eventName: 'name',
  userId: 'externalUserId',
  distinct_id: 'externalUserId',
  timestamp: 'at',
  time: 'at',
  occurredAt: 'at',
  properties: 'props',
  data: 'props',
  eventId: 'id',
  insertId: 'id',
};

/** The place of a member of the body itself. */
export const inBody = -1;

interface Noted {
  /** Of its event in the call, or `inBody`. */
  readonly index: number;
  readonly name: Buffer;
}

export class UnknownNames {
  readonly #noted: Noted[] = [];

  get isEmpty(): boolean {
    return this.#noted.length === 0;
  }

  clear(): void {
    this.#noted.length = 0;
  }

  /** A name in bytes that may change afterwards. */
  note(index: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#isNoted(index, bytes, start, end)) return;
    this.#noted.push({ index, name: Buffer.from(bytes.subarray(start, end)) });
  }

  /** The names of an object that are not known. */
  noteOf(index: number, object: object): void {
    const known = index === inBody ? bodyMembers : eventMembers;
    for (const name of Object.keys(object)) {
      if (known.includes(name)) continue;
      const bytes = Buffer.from(name);
      this.note(index, bytes, 0, bytes.length);
    }
  }

  /** In the order of their places. */
  get warnings(): readonly UnknownMember[] {
    return [...this.#noted]
      .sort((a, b) => a.index - b.index)
      .map(({ index, name: bytes }) => {
        const name = bytes.toString('utf8').slice(0, unknownNameCharsMax);
        if (index === inBody) return unknownWarning(name, meantBy(name, bodyMembers));
        const meant = meantBy(name, eventMembers, otherEventNames);
        return unknownWarning(`events[${index}].${name}`, meant);
      });
  }

  #isNoted(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    for (const noted of this.#noted) {
      const { name } = noted;
      if (name.length !== end - start || (noted.index === inBody) !== (index === inBody)) continue;
      let same = 0;
      while (same < name.length && name[same] === bytes[start + same]) same++;
      if (same === name.length) return true;
    }
    return this.#noted.length >= unknownMembersMax;
  }
}

/** Those that an error can start with. */
const inErrors = ['name', 'externalUserId', 'subscriberId', 'id', 'at', 'props'];

/** The error with the member that was probably meant to be the field it starts with. */
export function namingSlip(error: string, event: object): string {
  for (const name of Object.keys(event)) {
    if (inErrors.includes(name)) continue;
    const meant = meantBy(name, inErrors, otherEventNames);
    if (meant !== undefined && !Object.hasOwn(event, meant) && error.startsWith(`${meant}: `))
      return `${error}. ${name.slice(0, unknownNameCharsMax)}: unknown; did you mean ${meant}?`;
  }
  return error;
}
