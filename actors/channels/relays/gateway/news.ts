// What a gateway's words about a message mean, in a report or in an answer to a question.

import type { DeliveryReport } from '../../port/delivery-report.ts';
import type { GatewayReports } from './config.ts';
import { isLike, type ReadDocument, textAt } from './places.ts';

/** `undefined`: it has no status, or none that the rules know. */
export function newsOf(
  document: ReadDocument,
  { status: at, error, statuses }: Pick<GatewayReports, 'status' | 'error' | 'statuses'>,
): DeliveryReport | undefined {
  const status = textAt(document, at);
  if (status === undefined) return undefined;
  const code = textAt(document, error);
  const rule = statuses.find((one) => {
    if (one.status !== undefined && !isLike(status, one.status)) return false;
    if (one.error !== undefined && (code === undefined || !isLike(code, one.error))) return false;
    if (one.at === undefined) return true;
    const found = textAt(document, one.at);
    return found !== undefined && (one.is === undefined || isLike(found, one.is));
  });
  if (rule === undefined) return undefined;
  const { means, reason = means === 'opted_out' ? 'opted_out' : 'failed' } = rule;
  switch (means) {
    case 'taken':
    case 'arrived':
    case 'read':
      return { kind: means };
    case 'failed':
      return { kind: 'failed', reason, effect: 'none' };
    case 'dead':
    case 'opted_out':
      return { kind: 'failed', reason, effect: means };
  }
}
