// A store whose process ends in the middle of its work.

import { MemoryStore } from '../../storage/memory.ts';

/** Lets nothing into a store any more after a certain turn. */
export function endAfter(store: MemoryStore, lastSeq: number): void {
  const settleNext = store.settleNext.bind(store);
  const inFlight = Object.getOwnPropertyDescriptor(MemoryStore.prototype, 'inFlight')?.get;
  const isDead = () => store.durableSeq >= lastSeq;
  Object.defineProperties(store, {
    isDead: { get: isDead },
    inFlight: { get: () => (isDead() ? 0 : inFlight?.call(store)) },
    settleNext: { value: () => !isDead() && settleNext() },
  });
}
