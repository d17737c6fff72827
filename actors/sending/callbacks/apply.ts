// Folds nothing: what callbacks change in memory follows from receipts, events and opt-outs, whose
// entries go with these.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { PartitionState } from '../../state.ts';
import type { CallbacksEntry } from './protocol.ts';

export const callbacksApplies: Applies<CallbacksEntry, PartitionState> = {
  'receipt.told': () => {},
  'receipt.early': () => {},
  'receipts.retold': () => {},
  'results.polled': () => {},
  'receipts.rechecked': () => {},
  'keyword.heard': () => {},
};
