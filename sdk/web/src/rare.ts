// The work of the loop that most pages do not have: tags, devices, people who logged out, and what
// to do after a refusal. It loads when there is some.

import type { Answer } from './api.ts';
import { noteDevice } from './devices.ts';
import { addPerson } from './identity.ts';
import type { Problem } from './problem.ts';
import type { Row } from './queue.ts';
import type { Outcome, RareWork, Session } from './session.ts';
import { currentOf, type Device, type Person, personOf, type State } from './state.ts';

const tagsEveryMs = 1_000;

export const sendTags: RareWork['sendTags'] = async (session) => {
  const person = session.state.people.find(({ tags, token }) => tags && token);
  if (!person || tagsWaitMs(session) > 0) return undefined;
  session.taggedMs = session.platform.monotonic();
  const { n, token, tags: sent = {} } = person;
  const answer = await post(session, 'tags', token, { tags: sent });
  const { status, problem } = answer;
  if (status === 401) return tokenLost(session, person);
  if (status !== 204 && status !== 400 && status !== 403) return session.later(answer);
  if (problem) session.events.emit('error', problem);
  await session.change((state) => {
    const found = personOf(state, n);
    const left = Object.entries(found?.tags ?? {}).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]),
    );
    if (found && left.length > 0) found.tags = Object.fromEntries(left);
    else delete found?.tags;
  });
  return 'next';
};

function tagsWaitMs({ taggedMs, platform }: Session): number {
  return taggedMs + tagsEveryMs - platform.monotonic();
}

export const settleDevices: RareWork['settleDevices'] = async (session) => {
  if (session.state.people.some(({ tags, token }) => tags && token))
    return { waitMs: Math.max(0, tagsWaitMs(session)) };
  return (await endSession(session)) ?? (await unregister(session)) ?? (await register(session));
};

/** Of one who logged out and whose events are sent. */
async function endSession(session: Session): Promise<Outcome | undefined> {
  const person = session.state.people.find(({ isGone }) => isGone);
  if (!person) return undefined;
  const { n, token, device } = person;
  if (token) {
    const answer = await post(session, 'logout', token, { deviceId: device?.id });
    if (answer.isAway) return session.later(answer);
    if (answer.status !== 204 && device?.id) {
      // The device is somebody else's by now: only the session is to end.
      await setDevice(session, n, undefined);
      return 'next';
    }
  }
  await session.change((state) => {
    state.people = state.people.filter((one) => one.n !== n);
  });
  return 'next';
}

async function unregister(session: Session): Promise<Outcome | undefined> {
  const person = session.state.people.find(({ former, token }) => former && token);
  const deviceId = person?.former?.[0];
  if (!person || !deviceId) return undefined;
  const answer = await post(session, 'unregister', person.token, { deviceId });
  if (answer.status === 401) return tokenLost(session, person);
  if (answer.isAway) return session.later(answer);
  await session.change((state) => {
    const found = personOf(state, person.n);
    const left = found?.former?.filter((id) => id !== deviceId) ?? [];
    if (found && left.length > 0) found.former = left;
    else delete found?.former;
  });
  return 'next';
}

async function register(session: Session): Promise<Outcome | undefined> {
  const person = currentOf(session.state);
  const { n, token, device } = person;
  if (!device || device.id || !token) return undefined;
  const { channel, endpoint } = device;
  const answer = await post(session, 'register', token, { channel, endpoint });
  const { status, problem } = answer;
  if (status === 401) return tokenLost(session, person);
  if (status !== 200 && status !== 400 && status !== 403) return session.later(answer);
  if (problem) session.events.emit('error', problem);
  const { deviceId } = (answer.body ?? {}) as { deviceId?: string };
  await setDevice(session, n, deviceId === undefined ? undefined : { ...device, id: deviceId });
  return 'next';
}

/** Stores the device of a person, unless another was chosen meanwhile. */
function setDevice(session: Session, n: number, device: Device | undefined): Promise<void> {
  return session.change((state) => {
    const person = personOf(state, n);
    if (!person) return;
    if (device === undefined) delete person.device;
    else if (JSON.stringify(person.device?.endpoint) === JSON.stringify(device.endpoint))
      noteDevice(state, person, device);
  });
}

function post(
  session: Session,
  what: string,
  clientToken: string | undefined,
  more: object,
): Promise<Answer> {
  return session.call('POST', `/v1/sdk/${what}`, {
    body: { appId: session.appId, clientToken, ...more },
  });
}

async function tokenLost(session: Session, { n, token }: Person): Promise<Outcome> {
  await session.change((state) => {
    const person = personOf(state, n);
    if (person && person.token === token) loseToken(state, person);
  });
  return 'next';
}

/** The server does not take the token any more: a known person must log in again. */
function loseToken(state: State, person: Person): void {
  delete person.token;
  delete person.attempt;
  delete person.isProven;
  // Not the page's person, or one who is about to claim an id anyway.
  if (person.isGone || person.wants) return;
  if (person.externalUserId !== undefined) addPerson(state);
  else delete person.id;
}

/**
 * Notes why a login was refused. Some refusals end the attempt, so that the loop finds another one
 * for the person; after any other the same attempt is made again later.
 */
export const loginRefused: RareWork['loginRefused'] = async (session, login, answer) => {
  const { n, attempt } = login;
  const meaning = await session.change((state) => {
    const person = personOf(state, n);
    if (person?.attempt?.key !== attempt.key) return 'done';
    const means = meaningOf(state, person, answer);
    if (means !== 'waits') delete person.attempt;
    return means;
  });
  if (meaning === 'waits') return session.later(answer);
  if ((meaning === 'refused' || answer.status === 401) && answer.problem)
    session.events.emit('error', answer.problem);
  return 'next';
};

function meaningOf(
  state: State,
  person: Person,
  { status, problem }: Answer,
): 'done' | 'refused' | 'waits' {
  const claim = person.attempt?.claim;
  const { code, field } = problem ?? {};
  if (status === 401) {
    // Either the token or, of a key that was used, its session has ended: log in anew.
    if (field !== 'idempotencyKey' || !claim) loseToken(state, person);
    return 'done';
  }
  if (status === 409 && code === 'idempotency_conflict') return 'done';
  if (status === 409 && field === 'clientToken' && claim) {
    // The token is somebody else's by now, whom the server knows: they log out first.
    delete person.wants;
    person.externalUserId ??= '';
    if (person === currentOf(state)) addPerson(state).wants = claim;
    return 'done';
  }
  if (status === 400 && (field === 'timezone' || field === 'language') && !person.isPlain) {
    person.isPlain = true;
    return 'done';
  }
  if (claim && problem && (status === 400 || status === 403)) {
    delete person.wants;
    person.refused = { ...explained(problem), externalUserId: claim.externalUserId };
    return 'refused';
  }
  return 'waits';
}

/** What to do about it, where the server's words do not say. */
function explained(problem: Problem): Problem {
  if (problem.code !== 'identity_required') return problem;
  const advice = 'compute identityHash on your server and pass it to login()';
  return { ...problem, message: `${problem.message}; ${advice}` };
}

export const eventsRefused: RareWork['eventsRefused'] = async (session, batch, person, answer) => {
  const { status, problem, body } = answer;
  if (status === 401 && person?.token) return tokenLost(session, person);
  const isTooMuch = status === 400 || status === 413;
  if (isTooMuch && batch.length > 1) {
    session.batchMax = Math.ceil(batch.length / 2);
    return 'next';
  }
  if (status !== 202 && !isTooMuch) return session.later(answer);
  const again: Row[] = [];
  const { errors = [] } = (body ?? {}) as { errors?: { index: number; error: string }[] };
  for (const { index, error } of errors) {
    const [key, event] = batch[index] as Row;
    // The clock of this device is wrong: the event counts when it arrives.
    if (error.startsWith('at:') && !event.isTimeless)
      again.push([key, { ...event, isTimeless: true }]);
    else session.drop([[key, event]], error);
  }
  if (problem) session.drop(batch, problem.message);
  return session.answered(batch, again);
};

export const forgetEvents: RareWork['forgetEvents'] = async (session, rows) => {
  session.drop(rows, 'its person was forgotten');
  return session.answered(rows);
};
