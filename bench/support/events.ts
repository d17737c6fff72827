// The event of all ingest benches: 198 bytes of JSON with an id, a time and five scalar properties;
// people and names from fixed sets by a seeded generator.

import { below, seededRng } from '../../engine/base/rng.ts';

export const ingestNames = [
  'product_viewed',
  'cart_updated',
  'checkout_started',
  'order_placed',
  'search',
  'video_played',
  'article_read',
  'login',
  'share',
  'rated',
];
export const currencies = ['SGD', 'USD', 'EUR', 'THB'];

/** `count` bodies with `perBody` events each; ids never repeat between bodies. */
export function eventBodies(options: {
  readonly appId: string;
  readonly count: number;
  readonly perBody: number;
  readonly people: number;
  readonly nowMs: number;
  readonly seed?: number;
  /** False: a body can be posted repeatedly without being dropped as a repeat. */
  readonly ids?: boolean;
}): Buffer[] {
  const rng = seededRng(options.seed ?? 1, 'events');
  let next = 0;
  return Array.from({ length: options.count }, () => {
    const events = Array.from({ length: options.perBody }, () => {
      next++;
      const id = `${(options.seed ?? 1).toString(36)}-${rng.uint32().toString(16).padStart(8, '0')}${next.toString(16).padStart(8, '0')}`;
      return {
        ...(options.ids === false ? {} : { id }),
        name: ingestNames[below(rng, ingestNames.length)],
        externalUserId: `user-${below(rng, options.people)}`,
        at: new Date(options.nowMs - below(rng, 60_000)).toISOString(),
        props: {
          sku: `SKU-${below(rng, 5000)}`,
          price: below(rng, 10_000) / 100,
          currency: currencies[below(rng, 4)],
          qty: 1 + below(rng, 5),
          member: rng.uint32() % 2 === 0,
        },
      };
    });
    return Buffer.from(JSON.stringify({ appId: options.appId, events }));
  });
}
