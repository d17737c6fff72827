// The devices of an app whose addresses lead to their people; throws if an address leads to nobody.

import { knownAsKey, storedKey } from '../../actors/people/audience/endpoint-owner.ts';
import { Documents } from '../../storage/documents.ts';
import { subscribers } from '../../storage/tables/subscriber.ts';
import type { TestPartition } from './partition.ts';

/** Person and id of each, in no order that matters. */
export function indexedDevices(one: TestPartition, app: number): readonly string[] {
  const index = one.product.state.apps.get(app)?.endpoints;
  if (index === undefined) throw new Error('no app');
  const rows = new Documents(one.store).range(subscribers, app, { limit: 10_000 });
  let keys = 0;
  const found = rows.flatMap(({ value: { person, devices } }) =>
    devices.flatMap((device) => {
      const { id, channel, knownAs } = device;
      const own = [storedKey(device), ...(knownAs ? [knownAsKey(channel, knownAs)] : [])];
      keys += own.length;
      return own.every((key) => index.find(key) === person) ? [`${person} ${id}`] : [];
    }),
  );
  if (index.count !== keys)
    throw new Error(`the index has ${index.count} addresses, and devices have ${keys}`);
  return found.sort();
}
