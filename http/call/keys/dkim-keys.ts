// Makes the DKIM keys of sender domains. Made at the edge, because actors make no secrets. A key
// takes about 100 ms of a core and a thread of the pool that commits use, so they are made one
// after the other. Orgs take turns.

import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Tenant } from '../../../actors/tenants/accounts/protocol.ts';
import { OrgLine } from '../org-line.ts';

interface DkimKey {
  /** Fresh, so that a key never takes the place of another in the DNS. */
  readonly selector: string;
  /** SubjectPublicKeyInfo in base64, as `p=` of the record. */
  readonly publicKey: string;
  /** PKCS #8 as PEM. */
  readonly privateKey: string;
}

const line = new OrgLine(
  {
    runningMax: 1,
    runningOfOwnerMax: 1,
    waitingMax: 64,
    waitingOfOwnerMax: 16,
    waitMs: 10_000,
  },
  'too many keys are being generated; nothing was added, so try again',
);
/** Longer keys do not fit one UDP answer everywhere; receivers reject shorter ones. */
const modulusLength = 2048;

const generate = promisify(generateKeyPair);

/** Throws `overloaded` while too many of the org, or of all, wait. */
export async function makeDkimKey(tenant: Tenant): Promise<DkimKey> {
  const { publicKey, privateKey } = await line.run(tenant, () =>
    generate('rsa', { modulusLength }),
  );
  return {
    selector: `engage-${randomBytes(5).toString('hex')}`,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
