// Folds nothing: what callbacks change in memory follows from receipts, events and opt-outs, whose
// entries go with these.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { CallbacksEntry } from './protocol.ts';
import type { CallbacksMemory } from './view.ts';

export const callbacksApplies: Applies<CallbacksEntry, CallbacksMemory> = {
  'receipt.told': () => {},
  'receipt.early': () => {},
  'receipts.retold': () => {},
  'results.polled': () => {},
  'receipts.rechecked': () => {},
  'keyword.heard': () => {},
};
