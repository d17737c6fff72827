// What the callback routes of providers share: who may call, what they take and what they answer.
// Easily got wrong: the address that a provider signed is the public one that it was told, so it is
// made of the configured address and the target as received, never of the Host header; and the
// answer comes after what was told is durable.

import { z } from 'zod';
import type { ChannelId } from '../../../actors/channels/channel-ids.ts';
import type { CallbackCounts } from '../../../actors/channels/outcome.ts';
import { fault } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call.ts';
import { anybody } from '../../route.ts';

/** Of every callback route: signed by the provider, in no lane, and its body judged as it came. */
export const callback = {
  tag: 'Provider callbacks',
  access: anybody,
  lane: 'none',
} as const;

/** What was told, by what became of it. */
export const countsSchema = z
  .object({
    taken: z.int().min(0),
    repeated: z.int().min(0).describe('Duplicates, already processed.'),
    ignored: z.int().min(0).describe('For unknown sends or devices, or of an unknown type.'),
  })
  .meta({ id: 'CallbackCounts', examples: [{ taken: 1, repeated: 0, ignored: 0 }] });

/** The address that the provider was told, with its query as received. */
export function signedUrl({ edge, target }: Call<unknown, unknown>): string {
  return edge.config.publicUrl + target;
}

/** The carrier's signature, under its own name for it or the specification's. */
export function carrierSignatureOf(call: Call<unknown, unknown>): string | undefined {
  return call.header('x-carrier-signature') ?? call.header('x-twilio-signature');
}

/** A form of the carrier is a kilobyte or two. */
export function boundForm(call: Call<unknown, unknown>): Uint8Array {
  return bounded(call, 'expected a form of at most');
}

/**
 * So is the body of a provider that tells one thing a call. Anybody may send one, and some are read
 * before they are judged.
 */
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

/** Counts what was told, for metrics. */
export function count(
  { edge }: Call<unknown, unknown>,
  channel: ChannelId,
  { taken, repeated, ignored }: CallbackCounts,
): void {
  edge.countCallbacks?.(channel, { taken, repeated, ignored });
}
