// What workers do with topics: two of each app, one a default, whose people come and go while
// campaigns and journeys about them are on their way. Who is sent what is judged from the log
// (`campaign-audit.ts`).

import { pick } from '../../engine/base/rng.ts';
import { patchTags } from './audience-work.ts';
import { coin } from './chance.ts';
import { type Client, persist } from './client.ts';
import { isFault, somebody, unexpected, type Worker } from './worker.ts';

const topicKeys = ['offers', 'news'] as const;

/** Makes sure that the app has the topics, and perhaps chooses one for a message. */
export function* drawTopic(worker: Worker, probability: number): Client<{ topic?: string }> {
  const { app, rng } = worker;
  if (!coin(rng, probability)) return {};
  const key = pick(rng, topicKeys);
  // Choices that come without a key wait in `news`.
  const input =
    key === 'offers'
      ? { name: key, default: 'in' as const }
      : { name: key, default: 'out' as const, doubleOptIn: true };
  const asked = { key, input };
  const { reply } = yield* persist(app.ordinal, 'topic.create', asked, { by: app.org });
  if (app.leaving || (!reply.ok && !isFault(reply, 'duplicate'))) {
    if (!app.leaving) unexpected(worker, 'topic.create', reply);
    return {};
  }
  return { topic: key };
}

/** Somebody joins or leaves a topic, or has no choice any more. */
export function* changeChoice(worker: Worker): Client {
  const { app, rng } = worker;
  const { topic } = yield* drawTopic(worker, 1);
  if (topic === undefined || app.leaving) return;
  const person = somebody(worker);
  const tags = { [`topic.${topic}`]: pick(rng, ['in', 'out', 'out', null]) };
  const ref = { externalUserId: person.externalUserId };
  const body = { ref, patch: { tags } };
  const { reply } = yield* persist(app.ordinal, 'subscriber.patch', body, { by: app.org });
  if (app.leaving) return;
  if (reply.ok && person.exists) patchTags(person, tags);
  else if (reply.ok || person.exists || !isFault(reply, 'not_found'))
    unexpected(worker, 'a choice', reply);
}
