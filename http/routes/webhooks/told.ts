// Shared by the providers' callback routes: access, bodies and responses. Providers sign the public
// address that we gave them, so it is built from the configured one and the target, never the Host
// header. Responses wait until the reports are durable.

import { z } from 'zod';
import type { ChannelId } from '../../../actors/channels/channel-ids.ts';
import type { CallbackCounts } from '../../../actors/channels/port/outcome.ts';
import { fault } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { anybody } from '../../call/route.ts';

/** Every callback route: signed by the provider, no lane, raw body. */
export const callback = {
  tag: 'Provider callbacks',
  access: anybody,
  changes: ['outcome', 'event', 'suppression'],
  lane: 'none',
} as const;

export const countsSchema = z
  .object({
    taken: z.int().min(0),
    repeated: z.int().min(0).describe('Duplicates, already processed.'),
    ignored: z.int().min(0).describe('For unknown sends or devices, or of an unknown type.'),
  })
  .meta({ id: 'CallbackCounts', examples: [{ taken: 1, repeated: 0, ignored: 0 }] });

/** The address that we gave the provider, with its query as received. */
export function signedUrl({ edge, target }: Call<unknown, unknown>): string {
  return edge.config.publicUrl + target;
}

/** The carrier's signature, under its own header or the specification's. */
export function carrierSignatureOf(call: Call<unknown, unknown>): string | undefined {
  return call.header('x-carrier-signature') ?? call.header('x-twilio-signature');
}

/** A carrier's form has a kilobyte or two. */
export function boundForm(call: Call<unknown, unknown>): Uint8Array {
  return bounded(call, 'expected a form of at most');
}

/** For bodies with one report. Anyone may send one; some are read before the signature check. */
export function boundBody(call: Call<unknown, unknown>): Uint8Array {
  return bounded(call, 'expected at most');
}

function bounded({ bytes }: Call<unknown, unknown>, expected: string): Uint8Array {
  const most = limits.callbackFormBytesMax;
  if (bytes.byteLength <= most) return bytes;
  throw new FaultError(
    fault('body_too_large', `body: ${expected} ${most} bytes`, { field: 'body' }),
  );
}

export function count(
  { edge }: Call<unknown, unknown>,
  channel: ChannelId,
  { taken, repeated, ignored }: CallbackCounts,
): void {
  edge.countCallbacks?.(channel, { taken, repeated, ignored });
}
