// What the answer to an import tells of email addresses that may be wrong although their form is
// right: counts, and the first of each kind.

import { z } from 'zod';
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
            meant: z.string().optional().describe('Of a `typo`: the domain that was meant.'),
          }),
        )
        .describe(`The first ${flagSamplesMax}.`),
    }),
  )
  .optional()
  .describe(
    'Email addresses that may be wrong or unwanted, if there are any; they are imported all the same. `typo`: the domain looks like a misspelled one of a large mailbox provider. `disposable`: a mailbox that nobody keeps; the setting `refuseDisposableAddresses` of the app refuses these. `role`: a task and not a person, such as `info@` or `noreply@`.',
  );

type Sample = NonNullable<z.output<typeof addressFlagsSchema>>[number]['samples'][number];

export class AddressSummary {
  readonly #counts = new Map<AddressFlag, number>();
  readonly #samples = new Map<AddressFlag, Sample[]>();

  add(row: number, device: number, { flags, domain, meant }: FlaggedAddress): void {
    for (const flag of flags) {
      this.#counts.set(flag, (this.#counts.get(flag) ?? 0) + 1);
      const samples = this.#samples.get(flag) ?? [];
      this.#samples.set(flag, samples);
      if (samples.length >= flagSamplesMax) continue;
      const sample = { row, device, domain };
      samples.push(flag === 'typo' && meant !== undefined ? { ...sample, meant } : sample);
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

  get told(): { readonly addressFlags?: NonNullable<z.output<typeof addressFlagsSchema>> } {
    const list = addressFlags.flatMap((flag) => {
      const count = this.#counts.get(flag);
      return count === undefined ? [] : [{ flag, count, samples: this.#samples.get(flag) ?? [] }];
    });
    return list.length === 0 ? {} : { addressFlags: list };
  }
}
