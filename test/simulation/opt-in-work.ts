// What workers do with sign-ups: addresses that nobody else has, which strangers and imports bring,
// and whose owners open the mails that ask, sometimes twice or too late. A call to a provider for
// such an address is judged where it is made (`providers.ts`): before anybody has opened its link,
// only the mail that asks may leave.

import { openConfirm } from '../../actors/sending/opt-in/confirm-link.ts';
import { pick } from '../../engine/base/rng.ts';
import { patchTags } from './audience-work.ts';
import { coin, whole } from './chance.ts';
import { type Client, persist } from './client.ts';
import { drawTopic } from './topic-work.ts';
import { isFault, somebody, unexpected, type Worker } from './worker.ts';

const addressesPerWorker = 4;

function drawAddress({ number, rng }: Worker): string {
  return `sign.${whole(rng, 0, addressesPerWorker - 1)}@w${number}.example.com`;
}

/** Somebody signs an address up, with a topic or without. */
export function* signUp(worker: Worker): Client {
  const { app, rng, providers } = worker;
  const { topic } = yield* drawTopic(worker, 0.5);
  if (app.leaving) return;
  const endpoint = drawAddress(worker);
  // A topic without a double opt-in asks nobody.
  if (topic === 'offers') providers.spokenFor.add(`${app.id}|${endpoint}`);
  const topics = topic === undefined ? [] : [topic];
  const wish = { topics, tags: { signed: whole(rng, 0, 3) } };
  const asked = { signUp: { endpoint, wish } };
  const { reply, lost } = yield* persist(app.ordinal, 'opt_in.sign_up', asked);
  mayAsk(worker, 1 + lost);
  if (app.leaving || reply.ok || isFault(reply, 'rate_limited')) return;
  // The app may have been made in a backup without the topic.
  unexpected(worker, 'a sign-up', reply);
}

/** The tenant imports addresses whose owners have not agreed. */
export function* importUnconfirmed(worker: Worker): Client {
  const { app, number, rng } = worker;
  const rows = Array.from({ length: whole(rng, 1, 3) }, (_, row) => ({
    externalUserId: `sign-w${number}-${row}`,
    devices: [{ channel: 'email', endpoint: drawAddress(worker) } as const],
  }));
  const body = { rows, consent: 'doubleOptIn' } as const;
  const options = { by: app.org, lane: 'bulk' } as const;
  const { reply, lost } = yield* persist(app.ordinal, 'subscriber.import', body, options);
  mayAsk(worker, rows.length * (1 + lost));
  if (app.leaving) return;
  if (!reply.ok || reply.value.errors.length > 0) unexpected(worker, 'an import', reply);
}

/** Nobody is told of the mails that ask, now or once there is room. */
function mayAsk({ app, model }: Worker, mails: number): void {
  model.unsureSends.set(app.org, (model.unsureSends.get(app.org) ?? 0) + mails);
}

/** The owner of an address opens a mail that asks, and presses the button. */
export function* confirmSignUp(worker: Worker): Client {
  const { app, rng, providers, findings } = worker;
  const mails = providers.asking.filter((one) => one.app === app.ordinal);
  if (mails.length === 0) return;
  const mail = coin(rng, 0.7) ? mails.at(-1) : pick(rng, mails);
  const opened = mail && openConfirm(worker.model.sealer, mail.token);
  if (mail === undefined || opened === undefined)
    return findings.add('pending_only', 'a mail that asks has no link that opens');
  const { app: _app, ...link } = opened;
  const { reply: read } = yield* persist(app.ordinal, 'opt_in.read', link);
  if (app.leaving) return;
  if (!read.ok) return unexpected(worker, 'a confirmation page', read);
  if (read.value.state !== 'asked') return;
  // From here on it may be confirmed, whatever becomes of the answer.
  providers.spokenFor.add(mail.place);
  const asked = { ...link, seen: read.value.seen, source: 'page' } as const;
  const { reply } = yield* persist(app.ordinal, 'opt_in.confirm', asked);
  if (!app.leaving && !reply.ok) unexpected(worker, 'a confirmation', reply);
}

/** Somebody says on their page what they want. */
export function* prefer(worker: Worker): Client {
  const { app, rng } = worker;
  const { topic } = yield* drawTopic(worker, 1);
  if (topic === undefined || app.leaving) return;
  const person = somebody(worker);
  const choice = topic === 'offers' ? pick(rng, ['in', 'out'] as const) : 'out';
  const language = pick(rng, ['de', 'th']);
  const ref = { externalUserId: person.externalUserId };
  const change = { topics: { [topic]: choice }, language };
  const body = { ref, change, source: 'page' } as const;
  const { reply } = yield* persist(app.ordinal, 'preferences.set', body);
  if (app.leaving) return;
  if (reply.ok && person.exists) patchTags(person, { [`topic.${topic}`]: choice, language });
  else if (reply.ok || person.exists || !isFault(reply, 'not_found'))
    unexpected(worker, 'preferences', reply);
}

/** Somebody leaves a topic by the link of a message about it. */
export function* leaveTopic(worker: Worker): Client {
  const { app } = worker;
  const { topic } = yield* drawTopic(worker, 1);
  if (topic === undefined || app.leaving) return;
  const asked = { address: drawAddress(worker), topic, source: 'unsubscribe' } as const;
  const { reply } = yield* persist(app.ordinal, 'opt_in.leave_topic', asked);
  if (!app.leaving && !reply.ok) unexpected(worker, 'leaving a topic', reply);
}
