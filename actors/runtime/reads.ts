// Runs the long reads of a shard's pool, by name. A read sees only durable blocks, so its question
// brings what memory alone knows (who was erased, who matches).

import type { PartitionReads } from '../../storage/reader.ts';
import { exportRead } from '../audiences/export/pool-read.ts';
import { timesRead } from '../audiences/segments/pool-read.ts';
import { previewRead } from '../content/messages/pool-read.ts';
import { eventsRead } from '../events/read/pool-read.ts';
import { insightRead } from '../insight/insights/pool-read.ts';
import { sentRead, timelineRead } from '../insight/timeline/pool-read.ts';
import type { PoolRead } from '../pool-question.ts';
import { costRead } from '../programs/campaigns/cost-protocol.ts';
import { forecastRead } from '../programs/journeys/pool-read.ts';

/** `path`: the partition's directory; `undefined` without a checkpoint, and so without history. */
type Run<What, Found> = (
  what: What,
  store: PartitionReads,
  path: string | undefined,
) => Promise<Found>;

// Imported on first use: a thread that only exports needs no event code.
const reading = async () => ({
  ...(await import('../events/read/list.ts')),
  ...(await import('./event-log.ts')),
});

const runs: Readonly<Record<string, Run<never, unknown>>> = {
  ...run(eventsRead, async (what, store, path) => {
    const { readPage, eventLog } = await reading();
    const { ToldSends } = await import('../sending/outbox/told-sends.ts');
    return readPage(what, path, eventLog(store), (documents) => {
      const sends = new ToldSends(what.app, documents);
      return (event) => sends.completed(event);
    });
  }),
  ...run(timesRead, async (what, store, path) => {
    const { withHistory, eventLog } = await reading();
    const { readTimes } = await import('../audiences/segments/read-times.ts');
    return withHistory(path, (history) => readTimes(what, eventLog(store), history));
  }),
  ...run(exportRead, async (what, store) => {
    const { readExportPage } = await import('../audiences/export/export-page.ts');
    return readExportPage(what, store);
  }),
  ...run(insightRead, async (what, store, path) => {
    const { withHistory, eventLog } = await reading();
    const { readInsight } = await import('../insight/insights/run.ts');
    return withHistory(path, (history) => readInsight(what, eventLog(store), history));
  }),
  ...run(forecastRead, async (what, store, path) => {
    const { withHistory, eventLog } = await reading();
    const { readForecast } = await import('../programs/journeys/forecast.ts');
    return withHistory(path, (history) => readForecast(what, eventLog(store), history));
  }),
  ...run(costRead, async (what, store) => {
    const { countCost } = await import('../programs/campaigns/count-cost.ts');
    return countCost(what, store);
  }),
  ...run(previewRead, async (what) => {
    const { preview } = await import('../content/messages/preview.ts');
    return preview(what);
  }),
  ...run(sentRead, async (what) => {
    const { previewSend } = await import('../insight/timeline/preview-send.ts');
    return previewSend(what);
  }),
  ...run(timelineRead, async (what, store, path) => {
    const { readTimeline } = await import('../insight/timeline/read-timeline.ts');
    const { eventLog } = await reading();
    return readTimeline(what, path, eventLog(store));
  }),
};

function run<What, Found>(
  { name }: PoolRead<What, Found>,
  how: Run<What, Found>,
): Readonly<Record<string, Run<What, Found>>> {
  return { [name]: how };
}

export function runRead(
  name: string,
  what: unknown,
  store: PartitionReads,
  path: string | undefined,
): Promise<unknown> {
  const how = runs[name] as Run<unknown, unknown> | undefined;
  if (how === undefined) throw new Error(`there is no read ${name}`);
  return how(what, store, path);
}
