// The ids of a journey's sends. They name the journey and the step, so that an open or a click that
// comes back with nothing but the id counts at its step. Ids of earlier builds name neither.

import type { Millis } from '../../engine/base/brand.ts';
import { formatId, parseId } from '../../engine/base/id.ts';

/** Step numbers in ids; 0 stands for ids of earlier builds and for steps beyond the last. */
export const stepNumberMax = 255;

/** No channel of the catalog: no send of a campaign shares such an id. */
const noChannel = 0xf;
/** Distinguishes the sends of one millisecond. */
const counterBits = 20;
const counterMask = (1 << counterBits) - 1;

/**
 * 16 bits: the step, above four of the journey and the mark; 32 bits: twelve of the journey above
 * the counter.
 */
export function journeySendId(
  ordinal: number,
  atMs: Millis,
  counter: number,
  { journey, step }: NamedStep,
): string {
  return formatId('ntf', {
    ordinal,
    atMs,
    high16: (step << 8) | (((journey >>> 12) & 0xf) << 4) | noChannel,
    low32: (((journey & 0xfff) << counterBits) | (counter & counterMask)) >>> 0,
  });
}

interface NamedStep {
  /** The journey's number in its app; its low 16 bits are kept. */
  readonly journey: number;
  readonly step: number;
}

/** 16 bits of a journey's number, as ids hold it. */
export function journeyInIds(number: number): number {
  return number & 0xffff;
}

/** `undefined` for other sends; `step` is 0 if the id names neither journey nor step. */
export function namedStep(sendId: string): (NamedStep & { readonly counter: number }) | undefined {
  const parts = parseId('ntf', sendId);
  if (parts === undefined || (parts.high16 & 0xf) !== noChannel) return undefined;
  const { high16, low32 } = parts;
  const step = high16 >>> 8;
  if (step === 0) return { journey: 0, step, counter: ((high16 >>> 4) & 0xf) * 2 ** 32 + low32 };
  const journey = (((high16 >>> 4) & 0xf) << 12) | (low32 >>> counterBits);
  return { journey, step, counter: low32 & counterMask };
}
