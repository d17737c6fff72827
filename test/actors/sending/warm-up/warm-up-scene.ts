// An app whose sender domain is warming up, with people who have an email address each.

import type { WarmUpInput } from '../../../../actors/sending/warm-up/protocol.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
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

export async function warming(people: number, input: WarmUpInput): Promise<Scene> {
  const scene = await Scene.open({ available: ['email', 'fcm'] });
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
