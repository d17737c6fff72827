// What became of a campaign over time: its events per minute, hour or day. Receipts count as they
// came, one for each device, so a delivery that bounced later counts as both. Opens and clicks
// count only of people whom the campaign reached: anyone may name a campaign in an event.

import { Bitset } from '../../../engine/base/bitset.ts';
import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { type OffsetAt, zoneOf } from '../../../engine/time/civil-time.ts';
import { isMarkedMachine } from '../../events/log/machine-mark.ts';
import type { StoredEvents } from '../../events/log/stored-events.ts';
import { noPerson, SeenPeople } from '../../events/read/seen-people.ts';
import type { EventSink, StoredWalk } from '../../events/read/stored-walk.ts';
import { Buckets, bucketsBetween } from './buckets.ts';
import type {
  CampaignSeries,
  campaignEvents,
  Facts,
  Question,
  SeriesInterval,
} from './protocol.ts';

type Asked = Extract<Question, { kind: 'insight.campaign_series' }>;
type Counted = (typeof campaignEvents)[number];

const receipts = ['delivered', 'bounced', 'failed', 'suppressed'] as const;
const reached: ReadonlySet<string> = new Set(['sent', 'delivered', 'bounced', 'failed']);
/** `sent`: accepted by a relay that reports later; it makes a recipient and is no result. */
const told = ['sent', ...receipts] as const;
const engagements = ['opened', 'clicked'] as const;

/** Answers `insight.campaign_series`. Without a start, there is nothing to count. */
export function campaignSeries(
  { campaignId, interval }: Pick<Asked, 'campaignId' | 'interval'>,
  { series, timezone, ...facts }: Facts,
  walk: StoredWalk,
): CampaignSeries {
  if (series === undefined) return { starts: [], ...noCounts(0) };
  const buckets = seriesBuckets(interval, series.fromMs, series.toMs, zoneOf(timezone));
  const people = new SeenPeople(facts);
  const counts = noCounts(buckets.count);
  const recipients = new Bitset();
  const first = { opened: new FirstBuckets(), clicked: new FirstBuckets() };

  const each = (
    names: readonly string[],
    take: (name: Counted | 'sent', person: number, bucket: number) => void,
    isMeant: (events: StoredEvents, row: number) => boolean = () => true,
  ): EventSink => {
    const wanted: ReadonlySet<string> = new Set(names);
    return (events, from, to) => {
      for (let row = from; row < to; row++) {
        const name = events.name(row);
        if (!wanted.has(name) || events.reference(row, 'campaignId') !== campaignId) continue;
        const person = people.of(events.person(row));
        if (person !== noPerson && isMeant(events, row))
          take(name as Counted | 'sent', person, buckets.of(events.atMs(row)));
      }
    };
  };
  const add = (name: Counted, bucket: number) => {
    const of = counts.events[name];
    if (bucket >= 0) of[bucket] = (of[bucket] ?? 0) + 1;
  };
  walk.all(
    { fromMs: series.sinceMs, names: told },
    each(told, (name, person, bucket) => {
      if (reached.has(name)) recipients.set(person);
      if (name !== 'sent') add(name, bucket);
    }),
  );
  walk.all(
    { fromMs: series.sinceMs, names: engagements },
    each(
      engagements,
      (name, person, bucket) => {
        if ((name !== 'opened' && name !== 'clicked') || !recipients.test(person)) return;
        add(name, bucket);
        first[name].note(person, bucket);
        if (name === 'clicked') first.opened.note(person, bucket); // perhaps without its pictures
      },
      (events, row) => !isMarkedMachine(events.metaJson(row)),
    ),
  );
  for (const name of engagements) first[name].countInto(counts.people[name]);
  return { starts: [...buckets.starts], ...counts };
}

/** Minutes are the same in every zone. */
function seriesBuckets(
  interval: SeriesInterval,
  fromMs: Millis,
  toMs: Millis,
  offsetAt: OffsetAt,
): Buckets {
  if (interval !== 'minute') return bucketsBetween(interval, fromMs, toMs, offsetAt);
  const first = Math.floor(fromMs / minuteMs);
  const count = Math.max(1, Math.ceil(toMs / minuteMs) - first);
  const starts = Array.from({ length: count }, (_, i) => (first + i) * minuteMs);
  return new Buckets(starts, (first + count) * minuteMs);
}

function noCounts(length: number): Pick<CampaignSeries, 'events' | 'people'> & {
  readonly events: Record<Counted, number[]>;
  readonly people: Record<(typeof engagements)[number], number[]>;
} {
  const zeros = () => new Array<number>(length).fill(0);
  return {
    events: {
      delivered: zeros(),
      bounced: zeros(),
      failed: zeros(),
      suppressed: zeros(),
      opened: zeros(),
      clicked: zeros(),
    },
    people: { opened: zeros(), clicked: zeros() },
  };
}

/** The bucket of each person's first event within the range; rows come in no order. */
class FirstBuckets {
  /** Plus one; 0 for nobody. */
  #places = new Uint16Array(1024);

  /** `bucket` is -1 outside of the range. */
  note(person: number, bucket: number): void {
    if (bucket < 0) return;
    if (person >= this.#places.length) {
      const larger = new Uint16Array(Math.max(person + 1, this.#places.length * 2));
      larger.set(this.#places);
      this.#places = larger;
    }
    const before = this.#places[person] as number;
    if (before === 0 || bucket + 1 < before) this.#places[person] = bucket + 1;
  }

  countInto(counts: number[]): void {
    for (const place of this.#places)
      if (place > 0) counts[place - 1] = (counts[place - 1] ?? 0) + 1;
  }
}
