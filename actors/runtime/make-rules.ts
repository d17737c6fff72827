// The operator's settings and what the program itself brings, for the decisions of all areas.

import { providers } from '../channels/providers.ts';
import { eventMeta } from '../integrations/webhooks/event-meta.ts';
import { Keyring } from '../people/identity/keyring.ts';
import { SharedFiles } from '../sending/outbox/mail-files.ts';
import { WaveShares } from '../sending/outbox/wave-shares.ts';
import { everyArea } from './every-area.ts';
import { undone } from './listed-changes.ts';
import type { ProductOptions, ProductRules } from './rules.ts';

export function rulesOf(options: ProductOptions): ProductRules {
  return {
    ...options,
    plan: { ...options.plan, files: new SharedFiles() },
    webhooks: providers,
    keyring: new Keyring(options.sealer),
    credentials: new Map(),
    shares: new WaveShares(options.plan),
    everyArea,
    eventMeta,
    undone,
  };
}
