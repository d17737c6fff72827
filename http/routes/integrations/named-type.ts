// The type of a destination in a path.

import { FaultError, fieldFault } from '../../../engine/base/fault.ts';

const webhookType = /^webhook(-[a-z0-9-]{1,32})?$/;

export const typeParam = '`webhook`, `webhook-<name>` (1 to 32 of `a-z`, `0-9`, `-`) or `slack`.';
export const webhookTypeParam = '`webhook`, or `webhook-<name>` (1 to 32 of `a-z`, `0-9`, `-`).';

/** Throws a fault of `type`. */
export function webhookTypeNamed(type: string): string {
  if (webhookType.test(type)) return type;
  throw new FaultError(
    fieldFault('type', 'expected webhook, or webhook-<name> with 1 to 32 of a-z, 0-9 and -'),
  );
}

export function isDestinationType(type: string): boolean {
  return type === 'slack' || webhookType.test(type);
}

export function destinationTypeNamed(type: string): string {
  return type === 'slack' ? type : webhookTypeNamed(type);
}
