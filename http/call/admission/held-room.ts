// The room that a call without an API key may use of its address's minute: for people it creates,
// and for names of tags it brings. It is held whether or not it is used, so that an answer does not
// come sooner where somebody is known already.

import type { KeylessQuota } from '../../../actors/people/keyless.ts';
import type { NameQuota } from '../../../actors/people/name-limit.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { present } from '../answer/present.ts';
import type { Call } from '../call.ts';
import type { Hold } from '../call-edge.ts';

interface Wanted {
  /** At most, if given. */
  readonly people?: number;
  readonly names?: number;
}

interface Used {
  readonly keylessCreated?: number;
  readonly namesBrought?: number;
}

/** As messages to the app's actor have it; members are absent if addresses have no limit. */
interface Room {
  readonly room?: KeylessQuota;
  readonly names?: NameQuota;
}

/** Holds the room, asks, and returns what was not used; all of it if the call is refused. */
export async function withRoom<Reply extends Used>(
  call: Call<unknown, unknown>,
  app: Ordinal,
  { people, names }: Wanted,
  ask: (room: Room) => Promise<Reply>,
): Promise<Reply> {
  const { admission } = call.edge;
  const who = call.who ?? '';
  const heldNames =
    names === undefined
      ? undefined
      : await held((then) => admission.holdNames(who, app, names, then));
  const heldPeople =
    people === undefined
      ? undefined
      : await held((then) => admission.holdPeople(who, app, people, then));
  let used: Used = {};
  try {
    const reply = await ask(present({ room: roomOf(heldPeople), names: quotaOf(heldNames) }));
    used = reply;
    return reply;
  } finally {
    if (names !== undefined) admission.releaseNames(heldNames, used.namesBrought ?? 0);
    if (people !== undefined) admission.releasePeople(heldPeople, used.keylessCreated ?? 0);
  }
}

/** The held room as the app's actor reads it; nothing if addresses have no limit. */
export function roomOf(hold: Hold | undefined): KeylessQuota | undefined {
  if (hold === undefined) return undefined;
  return { mayCreate: hold.count, made: hold.used, retryAfterSeconds: hold.waitSeconds };
}

function quotaOf(hold: Hold | undefined): NameQuota | undefined {
  return hold && { mayName: hold.count, retryAfterSeconds: hold.waitSeconds };
}

function held(ask: (then: (hold: Hold | undefined) => void) => void): Promise<Hold | undefined> {
  return new Promise(ask);
}
