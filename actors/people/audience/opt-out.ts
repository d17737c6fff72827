// What one statement about an address does to an earlier one. An opt-out covers everything or
// marketing alone. It widens; only its end or a START narrows it. Whoever asked first is kept, but
// what others than the person ask for takes the place of what the person asked for: START would
// lift a STOP, and the confirmation of a sign-up both that and an unsubscribe.

import type { AskedFor, SuppressionRow } from '../../../storage/tables/suppression.ts';

export type OptOutReach = 'all' | 'marketing';

/** The record after an opt-out; `known` itself if it says as much already. */
export function withOptOut(
  known: SuppressionRow | undefined,
  asked: SuppressionRow,
): SuppressionRow {
  if (known === undefined) return asked;
  const before = reachOfOptOut(known);
  const after = reachOfOptOut(asked);
  if (before === after) return isOthers(known, asked) ? above(asked, known.marketing) : known;
  if (after === 'all') return above(asked, known);
  const isKept = known.marketing !== undefined && !isOthers(known.marketing, asked);
  return isKept ? known : above(known, asked);
}

/**
 * The record after a START; `undefined` without one. It lifts what STOP set, never what the
 * tenant, a link or a bounce asked for. `ends`: both, or one of the two.
 */
export function withoutStop(
  known: SuppressionRow,
  ends: readonly OptOutReach[],
): SuppressionRow | undefined {
  const isLifted = (asked: AskedFor, reach: OptOutReach) => isStop(asked) && ends.includes(reach);
  const { marketing, ...top } = known;
  const below = marketing !== undefined && isLifted(marketing, 'marketing') ? undefined : marketing;
  if (!isLifted(known, reachOfOptOut(known))) return below === marketing ? known : top;
  if (below === undefined) return undefined;
  const { identity, address } = known;
  return { identity, address, ...below, scope: 'marketing' };
}

export function reachOfOptOut({ scope }: Pick<SuppressionRow, 'scope'>): OptOutReach {
  return scope ?? 'all';
}

/**
 * Whether nobody but the person asked for it, by a link or a STOP. A complaint counts as others':
 * who reports a mail as spam gets none that asks again.
 */
export function isOwnOptOut({ marketing, ...row }: SuppressionRow): boolean {
  return isOwn(row) && (marketing === undefined || isOwn(marketing));
}

/** Said by the person, by a link or at a provider. */
function isOwn({ source }: AskedFor): boolean {
  return source === 'unsubscribe' || source === 'callback';
}

/** Said by the person at a provider. */
function isStop({ source }: AskedFor): boolean {
  return source === 'callback';
}

/** Whether `asked` outlives what would lift `known`: START, or the confirmation of a sign-up. */
function isOthers(known: AskedFor, asked: AskedFor): boolean {
  return isStop(known) ? !isStop(asked) : isOwn(known) && !isOwn(asked);
}

/** An opt-out with one of marketing below it, which remains if something lifts the one above. */
function above(row: SuppressionRow, below: AskedFor | undefined): SuppressionRow {
  if (below === undefined || !isOwn(row)) return row;
  const { reason, source, createdMs } = below;
  const marketing = { ...(reason === undefined ? {} : { reason }), source, createdMs };
  return { ...row, marketing };
}
