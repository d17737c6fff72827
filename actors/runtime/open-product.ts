// The product of a partition, with what the operator has set and what the process around it knows.

import { newHashKey } from '../../engine/base/hash.ts';
import { systemRng } from '../../engine/base/rng.ts';
import type { Log } from '../../engine/observe/log.ts';
import { SharedPaces } from '../../engine/thread/shared-paces.ts';
import type { Environment } from '../../storage/environment.ts';
import { availableChannels } from '../channels/catalog.ts';
import { unsubscribeUrl } from '../channels/email/unsubscribe.ts';
import type { Sealer } from '../sealer.ts';
import type { DispatchPlan } from '../sending/outbox/pump.ts';
import { Product } from './machine.ts';
import type { ShardData } from './protocol.ts';
import type { RestoreLists } from './restore-lists.ts';

export type RelayDays = Pick<DispatchPlan, 'relayCallsToday' | 'addRelayDays'>;

/** `address`: where reports of what it grants go. */
export function openProduct(
  address: number,
  data: ShardData,
  { epoch, resend }: Environment,
  relayDays: RelayDays,
  sealer: Sealer,
  lists: RestoreLists,
  log: Log,
): Product {
  return new Product({
    sealer,
    allowHttpEndpoints: data.allowHttpEndpoints,
    ...(data.newOrgQuotaBytes === undefined ? {} : { newOrgQuotaBytes: data.newOrgQuotaBytes }),
    ...(data.clientsShare === undefined ? {} : { clientsShare: data.clientsShare }),
    tableKey: newHashKey(systemRng()),
    ...(resend === undefined ? {} : { restored: { epoch, resend, ...lists } }),
    plan: {
      partition: address,
      ...relayDays,
      publicUrl: data.publicUrl,
      dispatchers: data.dispatchers,
      ...(data.campaignDispatchers === undefined
        ? {}
        : { campaignDispatchers: data.campaignDispatchers }),
      charges: data.charges,
      available: new Set(availableChannels(data.hasRelay)),
      credentialsRequired: data.credentialsRequired,
      senders: data.senders,
      onUnreadable: (app, error) =>
        log.error(
          { evt: 'send.unreadable', partition: address % data.partitions, app, err: error },
          'a send is blocked: its credential or a record cannot be read',
        ),
      unsubscribeUrl: (app, address, isMarketing, rng, about) =>
        unsubscribeUrl(data.publicUrl, sealer, app, address, isMarketing, rng, about),
    },
  });
}

/**
 * Calls of relays are counted by dispatchers; those of an earlier process once, by each partition.
 */
export function relayDaysOf(buffer: SharedArrayBuffer | undefined): RelayDays {
  if (buffer === undefined) return {};
  const paces = new SharedPaces(buffer);
  let isAdded = false;
  return {
    relayCallsToday: (relayId, nowMs) => paces.ofDay(relayId, nowMs),
    addRelayDays: (days) => {
      if (isAdded) return;
      isAdded = true;
      for (const [relayId, { day, calls }] of days) paces.addOfDay(relayId, day, calls);
    },
  };
}
