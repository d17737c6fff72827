// An app whose sender domain is warming up, with people who have an email address each.

import type { WarmUpInput } from '../../../../actors/sending/warm-up/protocol.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import type { TestPartitionOptions } from '../../../support/partition.ts';
import { Scene } from '../../programs/campaigns/scene.ts';

export const domain = 'acme.example';

/** So many emails a day. */
export const days = (...numbers: readonly number[]) => numbers.map((max) => ({ max }));

export async function addDomain(scene: Scene, name = domain): Promise<void> {
  const key = { selector: 's1', publicKey: 'public', privateKey: 'private' };
  await scene.one.value(scene.app, 'email_domain.add', { domain: name, key });
}

export async function sendFrom(scene: Scene, name = domain): Promise<void> {
  await scene.settings({ email: { fromAddress: `news@${name}` } });
}

export function warmUp(scene: Scene, input: WarmUpInput, name = domain) {
  return scene.one.value(scene.app, 'warm_up.put', { domain: name, input });
}

export function warmth(scene: Scene) {
  return scene.one.value(scene.app, 'warm_up.read', { domain });
}

/** People by their names with an address each, at their domains. */
export async function peopleAt(scene: Scene, domains: readonly string[]): Promise<void> {
  const rows = domains.map((at, i) => ({
    externalUserId: `at-${i}`,
    devices: [{ channel: 'email', endpoint: `at-${i}@${at}` }],
  }));
  await scene.one.value(scene.app, 'subscriber.import', { rows } as never);
}

/** A mail of another kind: from then on it is known who hosts the domain of its recipient. */
export async function single(scene: Scene, externalUserId: string): Promise<void> {
  const request = { to: { externalUserId }, channels: ['email' as const], title: 'Hi', body: 'Hi' };
  await scene.one.value(scene.app, 'transactional.accept', { request, claim: null });
  await scene.run();
}

export async function warming(
  people: number,
  input: WarmUpInput,
  options: TestPartitionOptions = {},
): Promise<Scene> {
  const scene = await Scene.open({ available: ['email', 'fcm'], ...options });
  await addDomain(scene);
  await sendFrom(scene);
  await warmUp(scene, input);
  await scene.people(people, ['email']);
  return scene;
}

/** Midnight, and a little later. */
export async function nextDay(scene: Scene): Promise<void> {
  const { nowMs } = scene.one.clock;
  await scene.advance(dayMs - (nowMs % dayMs));
}
