// Long reads that a shard gives to its pool: what each is given, what it finds, and how it is run.
// A new one is a member of `Reads` and of `runs`. What a reader would get wrong: a read sees
// durable blocks only, never what a turn has just decided, so whoever asks names first what memory
// alone knows (who was erased, who matches).

import type { PartitionReads } from '../../storage/reader.ts';
import type { ExportRead, ExportText } from '../audiences/export/export-page.ts';
import type { CountedTimes } from '../audiences/segments/protocol.ts';
import type { TimesRead } from '../audiences/segments/read-times.ts';
import type { PreviewRead } from '../content/messages/preview.ts';
import type { PreviewItem } from '../content/messages/protocol.ts';
import type { EventsRead, EventsReply } from '../events/list.ts';
import type { Insight } from '../insight/insights/protocol.ts';
import type { InsightRead } from '../insight/insights/run.ts';
import type { TimelineFound, TimelineRead } from '../insight/timeline/read-timeline.ts';
import type { ForecastRead } from '../programs/journeys/forecast.ts';
import type { ForecastReply } from '../programs/journeys/protocol.ts';

export interface Reads {
  /** A page of events. */
  events: { what: EventsRead; found: EventsReply };
  /** When people did what a filter counts. */
  times: { what: TimesRead; found: CountedTimes };
  /** A page of an export. */
  export: { what: ExportRead; found: ExportText };
  /** An insight; `null` when it was told to stop. */
  insight: { what: InsightRead; found: Insight | null };
  /** What a journey would have caught; `null` when it was told to stop. */
  forecast: { what: ForecastRead; found: ForecastReply | null };
  /**
   * What would leave of a message. It reads nothing that is stored; it is here for what it takes to
   * render.
   */
  preview: { what: PreviewRead; found: readonly PreviewItem[] };
  /** A page of a person's story. */
  timeline: { what: TimelineRead; found: TimelineFound };
}

export type ReadName = keyof Reads;

/**
 * `path`: the partition's directory; `undefined` while there is no checkpoint, and so no history,
 * yet.
 */
type Run<Name extends ReadName> = (
  what: Reads[Name]['what'],
  store: PartitionReads,
  path: string | undefined,
) => Promise<Reads[Name]['found']>;

// Imported when first asked for: a thread that makes an export needs nothing of the events.
const reading = async () => ({
  ...(await import('../events/list.ts')),
  ...(await import('./event-log.ts')),
});

const runs: { readonly [Name in ReadName]: Run<Name> } = {
  events: async (what, store, path) => {
    const { readPage, eventLog } = await reading();
    return readPage(what, path, eventLog(store));
  },
  times: async (what, store, path) => {
    const { withHistory, eventLog } = await reading();
    const { readTimes } = await import('../audiences/segments/read-times.ts');
    return withHistory(path, (history) => readTimes(what, eventLog(store), history));
  },
  export: async (what, store) => {
    const { readExportPage } = await import('../audiences/export/export-page.ts');
    return readExportPage(what, store);
  },
  insight: async (what, store, path) => {
    const { withHistory, eventLog } = await reading();
    const { readInsight } = await import('../insight/insights/run.ts');
    return withHistory(path, (history) => readInsight(what, eventLog(store), history));
  },
  forecast: async (what, store, path) => {
    const { withHistory, eventLog } = await reading();
    const { readForecast } = await import('../programs/journeys/forecast.ts');
    return withHistory(path, (history) => readForecast(what, eventLog(store), history));
  },
  preview: async (what) => {
    const { preview } = await import('../content/messages/preview.ts');
    return preview(what);
  },
  timeline: async (what, store, path) => {
    const { readTimeline } = await import('../insight/timeline/read-timeline.ts');
    const { eventLog } = await reading();
    return readTimeline(what, path, eventLog(store));
  },
};

/** Runs one read over an open partition. */
export function runRead<Name extends ReadName>(
  name: Name,
  what: Reads[Name]['what'],
  store: PartitionReads,
  path: string | undefined,
): Promise<Reads[Name]['found']> {
  return (runs[name] as Run<Name>)(what, store, path);
}
