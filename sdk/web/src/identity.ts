// Who uses the page: what `login` and `logout` change, and which login is to be sent next. Nothing
// here waits. Each step is stored before and after the call that it needs, so a page that is killed
// in between goes on where it was: the server gives the same key the same answer for a day.

import type { Platform } from './platform.ts';
import { type Attempt, type Claim, currentOf, type Person, personOf, type State } from './state.ts';

/** Beyond, the oldest people that logged out are forgotten with their events. */
const peopleMax = 30;
/** A page that is opened again within it continues the session. */
const sessionMs = 30 * 60_000;

/** Makes the page's person the one of the claim. False if nothing is to be done. */
export function claimPerson(state: State, claim: Claim): boolean {
  const person = currentOf(state);
  const { externalUserId, identityHash } = claim;
  const { wants } = person;
  delete person.refused;
  if (!wants && isSettledAs(person, claim)) return false;
  const known = wants?.externalUserId ?? person.externalUserId ?? externalUserId;
  // Somebody else: the person of before logs out, as the server would refuse their token.
  if (known !== externalUserId) addPerson(state).wants = claim;
  else person.wants = (!identityHash && wants) || claim;
  return true;
}

/** Whether the claim asks nothing that the person does not have. */
function isSettledAs(person: Person, { externalUserId, identityHash }: Claim): boolean {
  return (
    person.externalUserId === externalUserId &&
    !!person.token &&
    (!identityHash || person.isProven === true)
  );
}

/** Ends the person and begins an anonymous one. An anonymous person has nobody to log out. */
export function leavePerson(state: State): boolean {
  const { externalUserId, wants } = currentOf(state);
  if (externalUserId === undefined && !wants) return false;
  addPerson(state);
  return true;
}

export function addPerson(state: State): Person {
  const before = currentOf(state);
  before.isGone = true;
  const person: Person = { n: before.n + 1 };
  // Push notifications of this device are for the person who uses it now.
  freshDevice(before, person);
  state.people.push(person);
  if (state.people.length > peopleMax) state.people.shift();
  return person;
}

interface LoginRules {
  readonly appId: string;
  /** Whether the page's person is needed now, even as an anonymous one. */
  readonly isNeeded: boolean;
  /** People of whom events wait. */
  readonly withEvents: ReadonlySet<number>;
}

/** The login that is to be sent next, which is stored with its person; undefined for none. */
export function nextLogin(
  state: State,
  { appId, isNeeded, withEvents }: LoginRules,
  platform: Platform,
): { readonly n: number; readonly attempt: Attempt } | undefined {
  for (const person of state.people) {
    const { n, isGone, token } = person;
    const isMine = isNeeded && person === currentOf(state);
    const isUsed = withEvents.has(n) || isMine;
    const isStale = Math.abs(platform.now() - (person.seenMs ?? 0)) > sessionMs;
    // Of one who left at once, a login matters only for what they did before it.
    const wants = isGone && !isUsed && !person.id ? undefined : person.wants;
    if (!person.attempt && !wants && !(isUsed && !person.id) && !(isMine && isStale && token))
      continue;
    const { timezone, language } = platform;
    const attempt = (person.attempt ??= {
      key: platform.uuid(),
      body: {
        appId,
        ...(token ? { clientToken: token } : {}),
        ...wants,
        ...(person.isPlain ? {} : { timezone, language }),
      },
      ...(wants ? { claim: wants } : {}),
    });
    return { n, attempt };
  }
  return undefined;
}

interface LoginBody {
  readonly subscriberId: string;
  readonly clientToken: string;
}

/** Notes what a login was answered with a 200, unless another attempt has taken its place. */
export function noteLogin(
  state: State,
  n: number,
  { key, claim }: Attempt,
  { subscriberId, clientToken }: LoginBody,
  nowMs: number,
): void {
  const person = personOf(state, n);
  if (person?.attempt?.key !== key) return;
  delete person.attempt;
  // Another record than before, as after a merge: what belonged to the old one is registered anew.
  if (person.id !== subscriberId) freshDevice(person, person);
  person.id = subscriberId;
  person.token = clientToken;
  person.seenMs = nowMs;
  if (!claim) return;
  person.externalUserId = claim.externalUserId;
  if (claim.identityHash) person.isProven = true;
  if (JSON.stringify(person.wants) === JSON.stringify(claim)) delete person.wants;
}

/** Gives a person the device of another one, or of before, to be registered for them. */
function freshDevice({ device }: Person, person: Person): void {
  if (device) person.device = { channel: device.channel, endpoint: device.endpoint };
}
