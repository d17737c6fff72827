// A throttle scene with relays: what each answers by its name, and what became of the messages.

import type { Test } from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import type { RelayInput } from '../../../../actors/tenants/relays/protocol.ts';
import { ThrottleScene } from './throttle-scene.ts';

const accepted: Outcome = { outcome: 'accepted' };
export const down: Outcome = { outcome: 'retry', reason: 'connection_refused' };
export const silent: Outcome = { outcome: 'ambiguous', reason: 'timeout' };
export const revoked: Outcome = { outcome: 'config', reason: 'unauthenticated' };
export const slower: Outcome = { outcome: 'rate', reason: 'throttled' };

/** What each relay answers, by name; others accept. */
type Answers = Map<string, Outcome>;

interface World {
  readonly scene: ThrottleScene;
  readonly answers: Answers;
  /** Ids of relays by name. */
  readonly ids: Map<string, string>;
  /** Of the app, or of its org. */
  add(name: string, input?: RelayInput, owner?: 'app' | 'org'): Promise<string>;
}

export async function world(t: Test): Promise<World> {
  const answers: Answers = new Map();
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const answer = (_attempt: unknown, _nowMs: number, relay: string) =>
    answers.get(names.get(relay) ?? relay) ?? accepted;
  const scene = await ThrottleScene.open(t, { channels: ['email'], answer });
  const add: World['add'] = async (name, input = {}, owner = 'app') => {
    const config = { host: 'mail.example.com' };
    const body = {
      channel: 'email',
      relayKind: 'smtp',
      input: { name, config, ...input },
    } as const;
    const to = owner === 'app' ? scene.app : scene.org;
    const { id } = await scene.one.value(to, 'relay.create', body);
    ids.set(name, id);
    names.set(id, name);
    return id;
  };
  return { scene, answers, ids, add };
}

export async function people(scene: ThrottleScene, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, i) => `user-${i}`);
  for (const name of names) await scene.person(name, 'email', `${name}@example.com`);
  return names;
}

export async function receipts(scene: ThrottleScene, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < names.length; from += 1_000) {
    const recipients = names.slice(from, from + 1_000).map((externalUserId) => ({
      to: { externalUserId },
    }));
    ids.push(...(await scene.batch({ title: 'T', body: 'x' }, recipients)));
  }
  return ids;
}

export async function newsletter(scene: ThrottleScene, more: object = {}): Promise<void> {
  const { one, app } = scene;
  const message = { content: { title: 'T', body: 'x' } };
  const { id: messageId } = await one.value(app, 'message.create', { message } as never);
  const input = { name: 'News', messageId, channels: ['email'], ...more };
  const { id } = await one.value(app, 'campaign.create', { input } as never);
  await one.value(app, 'campaign.send', { id });
}

export const taken = ({ calls }: ThrottleScene) =>
  calls.filter(({ outcome }) => outcome?.outcome === 'accepted');

export function onceEach(t: Test, scene: ThrottleScene, count: number, why: string): void {
  const sends = taken(scene).map(({ sendId }) => sendId);
  t.equal(sends.length, count, `${why}: nothing is lost or sent twice`);
  t.equal(new Set(sends).size, count, `${why}: each once`);
}
