// What providers report after they accepted a message, and what people answer.

import { keywords } from '../../../storage/tables/keyword.ts';
import { providerReceipts } from '../../../storage/tables/provider-receipt.ts';
import type { Area } from '../../area.ts';
import { callbacksApplies } from './apply.ts';
import { type CallbacksRules, callbacksDecisions } from './decide.ts';
import { callbacksFacts } from './facts.ts';
import { withoutDoubts } from './heard-doubts.ts';
import type { CallbacksMemory, CallbacksView } from './memory.ts';
import { callbacksTimers } from './timers.ts';

export const callbacksArea = {
  name: 'callbacks',
  decide: (rules: CallbacksRules) => callbacksDecisions(rules),
  apply: callbacksApplies,
  facts: callbacksFacts,
  silent: [
    'receipt.early',
    'receipts.retold',
    'results.polled',
    'receipts.rechecked',
    'keyword.heard',
    'proof.used',
  ],
  // Not all providers report twice, and a callback may bring an opt-out as well as a receipt.
  whenDiskIsFull: [
    'callback.carrier_status',
    'callback.carrier_inbound',
    'callback.whatsapp_subscribe',
    'callback.rcs',
    'callback.chat',
    'callback.email',
    'callback.relay',
    'callback.proof',
    'callback.gateway',
    'callback.email_address',
  ],
  stored: { tables: [['people', keywords]] },
  tables: [providerReceipts, keywords],
  timers: callbacksTimers,
  on: { erasePerson: withoutDoubts, expirePerson: withoutDoubts },
} as const satisfies Area<never, CallbacksMemory, CallbacksView, object>;
