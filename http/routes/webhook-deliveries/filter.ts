// A filter of deliveries as the actor reads it.

import type { z } from 'zod';
import type { DeliveryFilter } from '../../../actors/integrations/webhooks/protocol.ts';
import { type Present, present } from '../../call/answer/present.ts';
import type { filterQuery } from './delivery-shape.ts';

type Given = z.output<z.ZodObject<typeof filterQuery>>;

export function filterOf({ from, to, ...rest }: Partial<Given>): Present<DeliveryFilter> {
  return present({
    ...rest,
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  }) as Present<DeliveryFilter>;
}
