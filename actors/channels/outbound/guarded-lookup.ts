// Resolves tenant-chosen host names with c-ares, never `dns.lookup`: slow names would occupy the
// thread pool that commits the store. The check is part of the connection's own lookup, so the
// checked addresses are the ones connected to.

import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './network-guard.ts';

/** The part of `dns.promises.Resolver` in use; tests provide their own. */
export interface NameResolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

/** A name with more addresses is refused. */
const addressesMax = 64;

/** Why there is no connection: no address, or (`refused`) a forbidden one. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  readonly refused: boolean;
  constructor(refused: boolean) {
    super('the name cannot be connected to');
    this.refused = refused;
  }
}

/** All addresses of a name must be public: a mix is an attack. `judgeUrl` checks literal ones. */
export function guardedLookup(
  resolver: NameResolver,
  allowPrivateNetworks: boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(resolver, hostname, allowPrivateNetworks).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return callback(dnsFailed, '', 0);
        if (options.all === true) return callback(null, addresses);
        callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

const dnsFailed = new LookupError(false);
const notPublic = new LookupError(true);

async function resolveAll(
  resolver: NameResolver,
  name: string,
  allowPrivateNetworks: boolean,
): Promise<{ address: string; family: number }[]> {
  if (allowPrivateNetworks && /(^|\.)localhost\.?$/.test(name)) {
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
  }
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  );
  if (addresses.length === 0) throw dnsFailed;
  if (!allowPrivateNetworks) {
    if (addresses.length > addressesMax || !addresses.every(isPublicAddress)) throw notPublic;
  }
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
