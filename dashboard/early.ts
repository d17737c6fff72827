// Runs while the scripts load: asks who is signed in, and then for what the screen shows first.
// Their code takes the answers from `api/early.ts`. Small, and in a file of its own, so that a
// phone asks a second or two sooner.

import type {} from './api/early.ts';
import { firstReads, nextReads, readsBefore } from './screens/first-reads.ts';

const isLate = globalThis.engageEarly !== undefined;
globalThis.engageEarly ??= new Map();
const asked = globalThis.engageEarly;

function ask(target: string): Promise<Response> {
  const answer = fetch(target, {
    headers: { 'x-engage-dashboard': '1' },
    credentials: 'same-origin',
    redirect: 'error',
  });
  answer.catch(() => undefined); // whoever takes it asks again
  asked.set(target, answer);
  return answer;
}

async function askFirst(): Promise<void> {
  const answer = await ask('/v1/session');
  const session = (await answer.clone().json()) as {
    readonly apps?: readonly { readonly id: string }[];
  };
  const [app = '', screen = 'home', id] = location.pathname.split('/').slice(2);
  if (session.apps?.some((one) => one.id === app) !== true) return;
  const targets = firstReads(app, screen, id);
  const answers = targets.map(ask);
  const before = targets.slice(0, readsBefore(screen, id));
  if (before.length === 0) return;
  const known = await Promise.all(before.map(async (_, at) => (await answers[at])?.clone().json()));
  // Once the screen has taken them, it asks for the rest by itself.
  if (before.every((target) => asked.has(target)))
    for (const target of nextReads(known)) void ask(target);
}

/**
 * The first format of a page loads the browser's tables: 13 to 20 ms on a desk, four times that on
 * a phone. Here the processor waits for the network anyway; a task each, so that none is long.
 */
const formats: readonly (() => void)[] = [
  () => new Intl.NumberFormat('en').format(0),
  () => new Intl.RelativeTimeFormat('en', { style: 'short' }).format(0, 'day'),
  () => new Intl.DateTimeFormat('en-GB').format(0),
];

// An address that signs in changes who is signed in, and a page whose scripts run asks by itself.
if (!isLate && !/^#(?:once|link)=/.test(location.hash)) askFirst().catch(() => undefined);
for (const warm of formats) setTimeout(warm);
