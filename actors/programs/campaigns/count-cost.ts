// Counts the texts that a dry run's people would get, in the pool: each is rendered as it would be
// sent. Of a larger audience every so many-th person is counted, and stands for those between.
// Of several numbers of one person, one that has opted out is counted.

import { hash32 } from '../../../engine/base/hash.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import { type DocumentStore, Documents } from '../../../storage/documents.ts';
import { dryRunParts } from '../../../storage/tables/dry-run.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { nationalNumber } from '../../channels/addresses/phone-number.ts';
import { textSize } from '../../channels/relays/gateway/segments.ts';
import { smsText } from '../../channels/sms/message.ts';
import { TextTally } from '../../channels/sms/text-prices.ts';
import { contentFor } from '../../content/render/content-for.ts';
import type { CostCounted, CostRead } from './cost-protocol.ts';
import type { PersonVerdict } from './protocol.ts';

/** People whose texts are rendered: some two seconds. */
const countedMax = 50_000;

type Pass = 'primary' | 'fallback';

interface Candidate {
  readonly person: number;
  readonly variant: string | undefined;
  readonly passes: readonly Pass[];
}

export function countCost(
  read: CostRead,
  store: DocumentStore,
  peopleMax = countedMax,
): CostCounted {
  const documents = new Documents(store).bound(read.app);
  let all = 0;
  for (const _one of candidates(read, documents)) all++;
  const stride = Math.max(1, Math.ceil(all / peopleMax));
  const sums = { primary: new Sum(), fallback: new Sum() };
  let isEstimate = stride > 1;
  let place = 0;
  let counted = 0;
  for (const { person, variant, passes } of candidates(read, documents)) {
    // At another place of each stretch, so that no order of people can agree with the stride.
    const stretch = Math.floor(place / stride);
    if (place++ % stride !== hash32(String(stretch)) % stride) continue;
    counted++;
    const row = documents.get(subscribers, [person]);
    if (row === undefined) continue;
    if (variant === undefined && read.contents.length > 1) isEstimate = true;
    const texts = textsOf(row, variant, read);
    for (const pass of passes) sums[pass].add(texts);
  }
  const factor = counted === 0 ? 1 : all / counted;
  return {
    isEstimate,
    primary: sums.primary.shown(factor),
    fallback: sums.fallback.shown(factor),
  };
}

class Sum {
  readonly #tally = new TextTally();
  #unsendable = 0;

  add(texts: readonly Text[]): void {
    for (const { country, segments } of texts)
      if (segments === undefined) this.#unsendable++;
      else this.#tally.add(country, segments);
  }

  shown(factor: number): CostCounted['primary'] {
    const unsendable = Math.round(this.#unsendable * factor);
    return { texts: this.#tally.shown(factor), unsendable };
  }
}

/** The people who get a text, or may, in the order of the dry run. */
function* candidates(
  { dryRunId, parts, sms, isPrimary, isFallback }: CostRead,
  documents: ReturnType<Documents['bound']>,
): Generator<Candidate> {
  for (let part = 0; part < parts; part++) {
    const row = documents.get(dryRunParts, [dryRunId, part]);
    if (row === undefined) continue;
    const passesBy = (row.fates as readonly PersonVerdict[]).map((one) => {
      const { verdict, channels, fallback } = one;
      const isNow = verdict === 'send' && (channels & (1 << sms)) !== 0;
      const passes: Pass[] = [];
      // The channels of somebody who gets it later are decided then.
      if (isPrimary && (isNow || verdict === 'defer')) passes.push('primary');
      if (isFallback && fallback?.verdict === 'send') passes.push('fallback');
      return passes;
    });
    for (const [i, person] of unpackOrdinals(row.people).entries()) {
      const code = (row.codes[i * 2] as number) | ((row.codes[i * 2 + 1] as number) << 8);
      const passes = passesBy[code] ?? [];
      if (passes.length === 0) continue;
      yield { person, passes, variant: (row.fates[code] as PersonVerdict).variant };
    }
  }
}

/** `segments`: absent if it cannot be sent. */
interface Text {
  readonly country: string | undefined;
  readonly segments: number | undefined;
}

function textsOf(
  row: SubscriberRow,
  variant: string | undefined,
  { contents, sending, nowMs, segmentsMax, takesGsmOnly }: CostRead,
): readonly Text[] {
  const devices = row.devices.filter(({ channel, enabled }) => channel === 'sms' && enabled);
  if (devices.length === 0) return [];
  const source = contents.find((one) => one.variant === variant) ?? contents[0];
  if (source === undefined) return [];
  const { content, utm } = source;
  const rendered = contentFor(content, row, sending, 'sms', nowMs, undefined, utm);
  const text = 'fault' in rendered ? undefined : smsText(rendered.content);
  const size = typeof text === 'string' ? textSize(text) : undefined;
  const fits =
    size !== undefined &&
    size.segments <= (segmentsMax ?? Number.POSITIVE_INFINITY) &&
    !(takesGsmOnly && size.alphabet !== 'gsm7');
  return devices.map(({ endpoint }) => ({
    country: typeof endpoint === 'string' ? nationalNumber(endpoint)?.region : undefined,
    segments: fits ? size.segments : undefined,
  }));
}
