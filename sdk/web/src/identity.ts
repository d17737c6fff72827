// Who uses the page: what `login` and `logout` change, which login is to be sent next, and what its
// answer means. Nothing here waits. Each step is stored before and after the call that it needs, so
// a page that is killed in between goes on where it was: the server gives the same key the same
// answer for a day.

import type { Answer } from './api.ts';
import type { Platform } from './platform.ts';
import { type Attempt, type Claim, currentOf, type Person, type State } from './state.ts';

/** Beyond, the oldest people that logged out are forgotten with their events. */
const peopleMax = 30;
/** A page that is opened again within it continues the session. */
const sessionMs = 30 * 60_000;

/** Makes the page's person the one of the claim. False if nothing is to be done. */
export function claimPerson(state: State, claim: Claim): boolean {
  const person = currentOf(state);
  const { externalUserId, identityHash } = claim;
  delete person.refused;
  if (person.wants === undefined && isSettledAs(person, claim)) return false;
  const known = person.wants?.externalUserId ?? person.externalUserId;
  if (known === undefined || known === externalUserId) {
    person.wants = identityHash === undefined && person.wants ? person.wants : claim;
    return true;
  }
  // Somebody else: the person of before logs out, as the server would refuse their token.
  addPerson(state).wants = claim;
  return true;
}

/** Whether the claim asks nothing that the person does not have. */
function isSettledAs(person: Person, { externalUserId, identityHash }: Claim): boolean {
  return (
    person.externalUserId === externalUserId &&
    person.token !== undefined &&
    (identityHash === undefined || person.isProven === true)
  );
}

/** Ends the person and begins an anonymous one. An anonymous person has nobody to log out. */
export function leavePerson(state: State): boolean {
  const { externalUserId, wants } = currentOf(state);
  if (externalUserId === undefined && wants === undefined) return false;
  addPerson(state);
  return true;
}

function addPerson(state: State): Person {
  const before = currentOf(state);
  before.isGone = true;
  const person: Person = { n: before.n + 1 };
  // Push notifications of this device are for the person who uses it now.
  if (before.device !== undefined)
    person.device = { channel: before.device.channel, endpoint: before.device.endpoint };
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
    const isCurrent = person === currentOf(state);
    const isUsed = withEvents.has(person.n) || (isCurrent && isNeeded);
    const isStale =
      isCurrent && isNeeded && Math.abs(platform.now() - (person.seenMs ?? 0)) > sessionMs;
    const wants = person.isGone === true && !isUsed ? undefined : person.wants;
    if (
      person.attempt === undefined &&
      wants === undefined &&
      !(isUsed && person.id === undefined) &&
      !(isStale && person.token !== undefined)
    )
      continue;
    person.attempt ??= {
      key: platform.uuid(),
      body: {
        appId,
        ...(person.token === undefined ? {} : { clientToken: person.token }),
        ...wants,
        ...(person.isPlain ? {} : { timezone: platform.timezone, language: platform.language }),
      },
      ...(wants === undefined ? {} : { claim: wants }),
    };
    return { n: person.n, attempt: person.attempt };
  }
  return undefined;
}

/**
 * Notes what a login was answered. `waits` says that the same attempt is to be made again;
 * otherwise the person may have another attempt, which `nextLogin` finds.
 */
export function loginAnswered(
  state: State,
  n: number,
  { attempt, answer }: { readonly attempt: Attempt; readonly answer: Answer },
  nowMs: number,
): 'done' | 'refused' | 'waits' {
  const person = state.people.find((one) => one.n === n);
  if (person === undefined || person.attempt?.key !== attempt.key) return 'done';
  const { status, problem } = answer;
  const { claim } = attempt;
  if (status === 200) {
    delete person.attempt;
    noteLogin(person, answer.body as LoginBody, claim, nowMs);
    return 'done';
  }
  const field = problem?.field;
  if (status === 401) {
    // Either the token or, of a key that was used, its session has ended: log in anew.
    delete person.attempt;
    if (field !== 'idempotencyKey' || claim === undefined) loseToken(state, person);
    return 'done';
  }
  if (status === 409 && problem?.code === 'idempotency_conflict') {
    delete person.attempt;
    return 'done';
  }
  if (status === 409 && field === 'clientToken' && claim !== undefined) {
    // The token is somebody else's by now, whom the server knows: they log out first.
    delete person.attempt;
    delete person.wants;
    person.externalUserId ??= '';
    if (person === currentOf(state)) addPerson(state).wants = claim;
    return 'done';
  }
  if (status === 400 && (field === 'timezone' || field === 'language') && !person.isPlain) {
    delete person.attempt;
    person.isPlain = true;
    return 'done';
  }
  if (claim !== undefined && (status === 400 || status === 403)) {
    delete person.attempt;
    delete person.wants;
    if (problem) person.refused = { ...problem, externalUserId: claim.externalUserId };
    return 'refused';
  }
  return 'waits';
}

interface LoginBody {
  readonly subscriberId: string;
  readonly clientToken: string;
}

function noteLogin(
  person: Person,
  { subscriberId, clientToken }: LoginBody,
  claim: Claim | undefined,
  nowMs: number,
): void {
  // Another record than before, as after a merge: what belonged to the old one is registered anew.
  if (person.id !== subscriberId && person.device?.id !== undefined)
    person.device = { channel: person.device.channel, endpoint: person.device.endpoint };
  person.id = subscriberId;
  person.token = clientToken;
  person.seenMs = nowMs;
  if (claim === undefined) return;
  person.externalUserId = claim.externalUserId;
  if (claim.identityHash !== undefined) person.isProven = true;
  if (JSON.stringify(person.wants) === JSON.stringify(claim)) delete person.wants;
}

/** The server does not take the token any more: a known person must log in again. */
export function loseToken(state: State, person: Person): void {
  delete person.token;
  delete person.attempt;
  delete person.isProven;
  // Not the page's person, or one who is about to claim an id anyway.
  if (person.isGone || person.wants !== undefined) return;
  if (person.externalUserId !== undefined) addPerson(state);
  else delete person.id;
}
