// Choosing event kinds. A star stands for all kinds of its group, also for those that come later.

import type { WebhookConfiguration } from '../../api/generated.ts';

export type Selector = WebhookConfiguration['events'][number];
export type EventKind = Exclude<Selector, `${string}*`>;

interface KindGroup {
  readonly id: 'campaign' | 'message' | 'other';
  /** Where the group has one. */
  readonly star?: Selector;
  readonly kinds: readonly EventKind[];
}

export const groups: readonly KindGroup[] = [
  {
    id: 'campaign',
    star: 'campaign.*',
    kinds: ['campaign.completed', 'campaign.failed', 'campaign.chunk_processed'],
  },
  {
    id: 'message',
    star: 'message.*',
    kinds: [
      'message.delivered',
      'message.bounced',
      'message.suppressed',
      'message.deferred',
      'message.failed',
      'message.opened',
      'message.clicked',
      'message.dismissed',
      'message.complained',
    ],
  },
  {
    id: 'other',
    kinds: ['subscriber.unsubscribed', 'delivery.degraded', 'integration.disabled'],
  },
];

/** Whether a kind is chosen, by itself or by a star. */
export function isChosen(chosen: readonly Selector[], kind: EventKind): boolean {
  return chosen.some((one) => one === kind || isStarOver(one, kind));
}

/** Callers of the API may write a star that no tick stands for, such as `subscriber.*`. */
function isStarOver(one: Selector, kind: EventKind): boolean {
  return one === '*' || (one.endsWith('.*') && kind.startsWith(one.slice(0, -1)));
}

/** Takes a kind in or out. Taking one out of a star leaves the others of its group. */
export function withKind(
  chosen: readonly Selector[],
  kind: EventKind,
  isOn: boolean,
): readonly Selector[] {
  if (isOn) return isChosen(chosen, kind) ? chosen : [...chosen, kind];
  return unstarred(chosen, kind).filter((one) => one !== kind);
}

export function withStar(
  chosen: readonly Selector[],
  star: Selector,
  isOn: boolean,
): readonly Selector[] {
  const kinds = groups.find((group) => group.star === star)?.kinds ?? [];
  const rest = unstarred(chosen, kinds[0]).filter(
    (one) => one !== star && !kinds.includes(one as EventKind),
  );
  return isOn ? [...rest, star] : rest;
}

/** Stars over a kind, replaced by the kinds that they stand for. */
function unstarred(chosen: readonly Selector[], kind: EventKind | undefined): readonly Selector[] {
  const all = groups.flatMap(({ kinds }) => kinds);
  const plain = chosen.flatMap((one): readonly Selector[] =>
    kind !== undefined && isStarOver(one, kind)
      ? all.filter((each) => isStarOver(one, each))
      : [one],
  );
  return [...new Set(plain)];
}
