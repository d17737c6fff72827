// What the answer to an import tells of email addresses that may be wrong although their form is
// right: counts, and the first of each kind.

import { z } from 'zod';
import { isOwnDomain, type OwnDomains } from '../../../actors/channels/addresses/endpoint.ts';
import { emailAddress } from '../../../actors/channels/email/address.ts';
import {
  type AddressFlag,
  addressFlags,
  type FlaggedAddress,
  flaggedAddress,
} from '../../../actors/channels/email/address-flags.ts';
import type { SubscriberInput } from '../../../actors/people/audience/protocol.ts';

const flagSamplesMax = 10;

export const addressFlagsSchema = z
  .array(
    z.object({
      flag: z.enum(addressFlags),
      count: z.int(),
      samples: z
        .array(
          z.object({
            row: z.int().describe('Index in `rows`, from 0.'),
            device: z.int().describe('Index in `devices` of the row, from 0.'),
            domain: z.string(),
            meant: z.string().optional().describe('The domain that was meant by a `typo`.'),
          }),
        )
        .describe(`The first ${flagSamplesMax}.`),
    }),
  )
  .optional()
  .describe(
    'Email addresses that may be wrong or unwanted, if there are any; they are imported anyway. Verified sender domains of the app, and what is below them, are no typo and not disposable. `typo`: the domain looks like a misspelled one of a large mailbox provider. `disposable`: a mailbox that nobody keeps; the setting `refuseDisposableAddresses` of the app refuses these. `role`: a task and not a person, such as `info@` or `noreply@`.',
  );

type Sample = NonNullable<z.output<typeof addressFlagsSchema>>[number]['samples'][number];

interface Flagged {
  count: number;
  readonly samples: Sample[];
}

export class AddressSummary {
  readonly #flagged = new Map<AddressFlag, Map<string, Flagged>>();

  add(row: number, device: number, { flags, domain, meant }: FlaggedAddress): void {
    for (const flag of flags) {
      const byDomain = this.#flagged.get(flag) ?? new Map<string, Flagged>();
      this.#flagged.set(flag, byDomain);
      const ofDomain = byDomain.get(domain) ?? { count: 0, samples: [] };
      byDomain.set(domain, ofDomain);
      ofDomain.count++;
      if (ofDomain.samples.length >= flagSamplesMax) continue;
      const sample = { row, device, domain };
      ofDomain.samples.push(flag === 'typo' && meant !== undefined ? { ...sample, meant } : sample);
    }
  }

  /** The addresses of a row that came as an object. */
  addRow(row: number, { devices = [] }: SubscriberInput): void {
    for (const [index, { channel, endpoint, place = index }] of devices.entries()) {
      if (channel !== 'email' || typeof endpoint !== 'string') continue;
      const normal = emailAddress(endpoint);
      const flagged = 'value' in normal ? flaggedAddress(normal.value) : undefined;
      if (flagged !== undefined) this.add(row, place, flagged);
    }
  }

  /** `ownDomains` is asked only if a domain, and not a name, is flagged. */
  async told(
    ownDomains: () => Promise<OwnDomains>,
  ): Promise<{ readonly addressFlags?: NonNullable<z.output<typeof addressFlagsSchema>> }> {
    const asks = this.#flagged.has('typo') || this.#flagged.has('disposable');
    const own = asks ? await ownDomains() : new Map<string, never>();
    const list = addressFlags.flatMap((flag) => {
      const told = [...(this.#flagged.get(flag) ?? [])].flatMap(([domain, flagged]) =>
        flag !== 'role' && isOwnDomain(own, domain) ? [] : [flagged],
      );
      const count = told.reduce((sum, one) => sum + one.count, 0);
      const samples = told.flatMap((one) => one.samples).sort(inOrder);
      return count === 0 ? [] : [{ flag, count, samples: samples.slice(0, flagSamplesMax) }];
    });
    return list.length === 0 ? {} : { addressFlags: list };
  }
}

function inOrder(one: Sample, other: Sample): number {
  return one.row - other.row || one.device - other.device;
}
