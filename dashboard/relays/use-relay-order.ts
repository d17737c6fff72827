// Moves a relay in its list: one call for each relay that gets a new number, one after the other.

import { useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import type { Relay } from '../api/generated.ts';
import { useAct } from '../api/queries.ts';
import { TheirsKept } from '../api/saves.ts';
import { tellDone } from '../ui/toast.tsx';
import { ordersAfter } from './relay-order.ts';
import { useRelayPlace } from './relay-owner.ts';
import { useRelayWords } from './relay-words.ts';

/** `relays`: in their order. What fails leaves the rest as it is, and says why. */
export function useRelayOrder(relays: readonly Relay[]) {
  const { appId, operations } = useRelayPlace();
  const text = useRelayWords();
  const update = useAct(operations.update);
  const [isMoving, setMoving] = useState(false);
  const [error, setError] = useState<ApiError>();
  const run = async (from: number, to: number, onMoved?: () => void) => {
    setMoving(true);
    setError(undefined);
    try {
      for (const [relay, order] of ordersAfter(relays, from, to))
        await update.mutateAsync({ path: { appId, id: relay.id }, body: { order }, base: relay });
      tellDone(text.moved(relays[from]?.name ?? '', to + 1, relays.length));
      onMoved?.();
    } catch (failure) {
      if (!(failure instanceof TheirsKept)) setError(asApiError(failure));
    } finally {
      setMoving(false);
    }
  };
  const move = (from: number, to: number, onMoved?: () => void) => {
    if (!isMoving) void run(from, to, onMoved);
  };
  return { move, isMoving, error };
}
