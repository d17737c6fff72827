// The message that ends the rest of an address after soft bounces.

import type { PersonRef, ShownDevice } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

export interface ResumeProtocol {
  /** Changes nothing if the address does not rest. */
  'device.resume': { body: Caller & { ref: PersonRef; deviceId: string }; reply: ShownDevice };
}
