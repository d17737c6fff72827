// The type of an integration in a path.

import { FaultError, fieldFault } from '../../../engine/base/fault.ts';

const webhookType = /^webhook(-[a-z0-9-]{1,32})?$/;
const webhookWords = 'webhook, or webhook-<name> with 1 to 32 of a-z, 0-9 and -';

export const typeParam = '`webhook`, `webhook-<name>` (1 to 32 of `a-z`, `0-9`, `-`) or `slack`.';
export const webhookTypeParam = '`webhook`, or `webhook-<name>` (1 to 32 of `a-z`, `0-9`, `-`).';
export const anyTypeParam = '`cdp`, `slack`, `webhook`, `webhook-<name>`, or `legacy`.';

/** Throws a fault of `type`. */
export function webhookTypeNamed(type: string): string {
  if (webhookType.test(type)) return type;
  throw new FaultError(fieldFault('type', `expected ${webhookWords}`));
}

function isDestinationType(type: string): boolean {
  return type === 'slack' || webhookType.test(type);
}

export function destinationTypeNamed(type: string): string {
  if (isDestinationType(type)) return type;
  throw new FaultError(fieldFault('type', `expected slack, ${webhookWords}`));
}

/** Of a destination, the webhook of the settings included, or `cdp`. */
export function isIntegrationType(type: string): boolean {
  return type === 'cdp' || type === 'legacy' || isDestinationType(type);
}

export function integrationTypeNamed(type: string): string {
  if (isIntegrationType(type)) return type;
  throw new FaultError(fieldFault('type', `expected cdp, slack, legacy, ${webhookWords}`));
}
