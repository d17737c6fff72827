// Makes the DKIM keys of sender domains. Made at the edge, because actors make no secrets. A key
// takes about 100 ms of a core and a thread of the pool that commits use, so they are made one
// after the other, and a long line is refused.

import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { fault } from '../../actors/faults.ts';
import { FaultError } from '../../engine/base/fault.ts';

interface DkimKey {
  /** Fresh, so that a key never takes the place of another in the DNS. */
  readonly selector: string;
  /** SubjectPublicKeyInfo in base64, as `p=` of the record. */
  readonly publicKey: string;
  /** PKCS #8 as PEM. */
  readonly privateKey: string;
}

const waitingMax = 16;
/** Longer keys do not fit one UDP answer everywhere; receivers reject shorter ones. */
const modulusLength = 2048;

const generate = promisify(generateKeyPair);
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Throws `overloaded` while too many wait. */
export async function makeDkimKey(): Promise<DkimKey> {
  if (waiting >= waitingMax)
    throw new FaultError(fault('overloaded', 'too many keys are being generated; try again'));
  waiting++;
  const made = last.then(() => generate('rsa', { modulusLength }));
  last = made.catch(() => undefined);
  try {
    const { publicKey, privateKey } = await made;
    return {
      selector: `engage-${randomBytes(5).toString('hex')}`,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  } finally {
    waiting--;
  }
}
