// TLS between servers of a cluster, under a key that all of them derive from the master key: who
// has none of these keys cannot speak at all. Certificates would be one more thing to renew.

import { createHash } from 'node:crypto';
import type { ConnectionOptions, TlsOptions } from 'node:tls';

/** Purpose of the keys, as of `Sealer.keysFor`. */
export const peerPurpose = 'cluster peers';

/** With an ephemeral key, so that a key that leaks opens nothing that was recorded before. */
const version = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305:DHE-PSK-AES256-GCM-SHA384',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** Takes each of these keys: during a rotation servers have several. */
export function peerServerTls(keys: readonly Uint8Array[]): TlsOptions {
  const byName = new Map(keys.map((key) => [nameOf(key), key]));
  return {
    ...version,
    dhparam: 'auto',
    pskCallback: (_socket, name) => byName.get(name) as NodeJS.ArrayBufferView | null,
  };
}

/** Shows the newest key. */
export function peerClientTls([key]: readonly Uint8Array[]): ConnectionOptions {
  if (key === undefined) throw new Error('there is no key for the servers of the cluster');
  return {
    ...version,
    // There is no certificate that could name a host.
    checkServerIdentity: () => undefined,
    pskCallback: () => ({ identity: nameOf(key), psk: key }),
  };
}

/** Says which key it is, and nothing of the key. */
function nameOf(key: Uint8Array): string {
  return createHash('sha256').update('engage peer key').update(key).digest('hex').slice(0, 16);
}
