// Turns a send's body into the request for the app's actor, and checks what a schema cannot.

import type { z } from 'zod';
import type {
  SharedRequest,
  TransactionalRequest,
} from '../../../actors/sending/transactional/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { judgedContent } from '../messages/judged-content.ts';
import { recipientOf } from './recipient.ts';
import type { requestFields, sendBody } from './send-shape.ts';

type RequestBody = z.output<z.ZodObject<typeof requestFields>>;

/** To one recipient, without the template. Throws the first fault. */
export function sendMessage(body: z.output<typeof sendBody>): TransactionalRequest {
  const to = recipientOf(body);
  return { ...sharedRequest(body), to };
}

/** Without recipient and template. Throws the first fault. */
export function sharedRequest(body: RequestBody): SharedRequest {
  const { variables, channels } = body;
  return {
    ...judgedContent(body, 'transactional'),
    ...present({
      channels: channels ?? undefined,
      variables,
    }),
  };
}
