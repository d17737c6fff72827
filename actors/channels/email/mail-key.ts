// The key that signs a mail: the operator's own, or that of a tenant's domain. Decided where the
// sender is allowed, and used only for mails from exactly its domain, so that no signature is
// unaligned.

import { dropOldest } from '../port/bounded-cache.ts';
import type { DkimConfig, MailKey } from '../port/provider-config.ts';
import { createDkimSigner, type DkimSigner } from './dkim.ts';

const signersMax = 1_024;

/** Signers by key; parsing a key takes longer than signing with it. */
export class MailSigners {
  readonly #platform: { readonly domain: string; readonly signer: DkimSigner } | undefined;
  readonly #signers = new Map<string, DkimSigner>();

  /** Throws for an unreadable key. */
  constructor(platform: DkimConfig | undefined) {
    this.#platform = platform && { domain: platform.domain, signer: createDkimSigner(platform) };
  }

  /** The signer for a mail from this domain; `undefined` if the key is of another. */
  of(key: MailKey | undefined, domain: string): DkimSigner | undefined {
    if (key === undefined) return undefined;
    if (key === 'platform')
      return this.#platform?.domain === domain ? this.#platform.signer : undefined;
    if (key.domain !== domain) return undefined;
    const name = `${key.domain}|${key.selector}|${key.privateKey}`;
    let signer = this.#signers.get(name);
    if (signer === undefined) {
      signer = createDkimSigner(key);
      dropOldest(this.#signers, signersMax);
      this.#signers.set(name, signer);
    }
    return signer;
  }
}
