// Folds tokens that proved a call: receipts, events and opt-outs have entries of their own.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { noteSeen } from '../../events/seen-ids.ts';
import type { CallbacksMemory } from './memory.ts';
import type { CallbacksEntry } from './protocol.ts';

export const callbacksApplies: Applies<CallbacksEntry, CallbacksMemory> = {
  'receipt.told': () => {},
  'receipt.early': () => {},
  'receipts.retold': () => {},
  'results.polled': () => {},
  'receipts.rechecked': () => {},
  'keyword.heard': () => {},
  'proof.used': noteSeen,
};
