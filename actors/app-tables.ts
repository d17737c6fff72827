// Every table whose rows belong to an app: what goes when the app goes. A new table is a line here.

import type { TypedTable } from '../engine/actor/message.ts';
import { contentCopies } from '../storage/tables/content-copy.ts';
import { deviceSends } from '../storage/tables/device-send.ts';
import { dryRunParts, dryRuns } from '../storage/tables/dry-run.ts';
import { keywords } from '../storage/tables/keyword.ts';
import { liveActivities, liveActivitiesOfPeople } from '../storage/tables/live-activity.ts';
import { messages } from '../storage/tables/message.ts';
import { providerReceipts } from '../storage/tables/provider-receipt.ts';
import { resultPolls } from '../storage/tables/result-poll.ts';
import { deadLetters, sends } from '../storage/tables/send.ts';
import { sendChunks } from '../storage/tables/send-chunk.ts';
import { aliases, endpoints, subscribers } from '../storage/tables/subscriber.ts';
import { suppressions } from '../storage/tables/suppression.ts';
import { templates } from '../storage/tables/template.ts';

export const appTables: readonly TypedTable<object>[] = [
  subscribers,
  endpoints,
  aliases,
  suppressions,
  sends,
  sendChunks,
  deadLetters,
  providerReceipts,
  keywords,
  liveActivities,
  liveActivitiesOfPeople,
  deviceSends,
  resultPolls,
  messages,
  templates,
  contentCopies,
  dryRuns,
  dryRunParts,
] as readonly TypedTable<object>[];
