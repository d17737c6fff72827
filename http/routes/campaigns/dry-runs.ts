// Dry runs: what the send of a campaign would do, person by person, without sending. Starting one,
// and reading its people, page by page or all of them as one file.

import { z } from 'zod';
import { csvLine } from '../../../actors/audiences/export/csv.ts';
import { limits } from '../../../actors/limits.ts';
import type { DryRunPerson } from '../../../actors/programs/campaigns/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, type Nouns, type Route, route } from '../../call/route.ts';
import { exampleOf, pageQuery, pageSchema } from '../../call/schemas/schemas.ts';
import {
  dryRunPersonSchema,
  dryRunPersonView,
  dryRunSchema,
  dryRunView,
  verdictSchema,
} from './dry-run-shape.ts';
import { campaignActor } from './named-campaign.ts';

/** The same route at `/v1/campaigns/:id/<tail>` and at `/v1/apps/:appId/campaigns/:id/<tail>`. */
function campaignRoutes<
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  tail: string,
  { summary, ...declaration }: Omit<Route<Query, Body>, 'path' | 'tag' | 'lane'> & Nouns,
): readonly [byId: Route, ofApp: Route] {
  const below = (start: string, summary: string) =>
    route<Query, Body>({
      ...declaration,
      path: `${start}/campaigns/:id/${tail}`,
      summary,
      tag: 'Campaigns',
    });
  return [below('/v1', `${summary} by id`), below('/v1/apps/:appId', summary)];
}

export const [dryRunCampaign, dryRunCampaignOfApp] = campaignRoutes('dry-run', {
  method: 'POST',
  summary: 'Dry run a campaign',
  description:
    'Evaluates the whole current audience with the same code that sends: who would get the message now and on which channels, who would get it later, who would not get it, and why. Nothing is sent or counted. Pass the `dryRunId` to `send` to send exactly what you reviewed.',
  access: key('read'),
  changes: ['dry-run'],
  params: { id: 'Campaign id.' },
  responses: { 200: { description: 'The result of the dry run.', schema: dryRunSchema } },
  refusals: [409],
  async handle(call) {
    const run = await campaignActor(call).ask('campaign.dry_run', { id: call.param('id') });
    return { status: 200, body: dryRunView(run) };
  },
});

const columns = [
  'subscriberId',
  'externalUserId',
  'verdict',
  'reason',
  'until',
  'channels',
  'variant',
  'fallback',
  'fallbackReason',
] as const;

export const [readDryRun, readDryRunOfApp] = campaignRoutes('dry-run/:dryRunId', {
  method: 'GET',
  summary: 'List the people of a dry run',
  description:
    "Each person's result at the time of the dry run. `format=csv` streams everyone as one file, with `channels` joined by `|`; `limit` and `cursor` are then ignored.",
  access: key('read'),
  reads: ['dry-run'],
  params: { id: 'Campaign id.', dryRunId: 'Dry run id.' },
  query: z.object({
    verdict: verdictSchema.optional().describe('Only people with this result.'),
    format: z.enum(['json', 'csv']).default('json'),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'A page of people, or the CSV file.',
      schema: pageSchema(dryRunPersonSchema).meta({
        examples: [{ items: [exampleOf(dryRunPersonSchema)], nextCursor: null }],
      }),
      contentType: 'text/csv',
    },
  },
  async handle(call) {
    const { verdict, format, limit, cursor } = call.query;
    const dryRunId = call.param('dryRunId');
    const id = call.param('id');
    const read = (limit: number, cursor?: string) =>
      campaignActor(call).ask('dry_run.people', {
        id,
        dryRunId,
        limit,
        ...present({ verdict, cursor }),
      });
    if (format === 'json') {
      const { items, nextCursor } = await read(limit, cursor);
      return { status: 200, body: { items: items.map(dryRunPersonView), nextCursor } };
    }
    // before the head, so that a refusal has its own status
    const first = await read(limits.pageMax);
    return {
      status: 200,
      headers: [
        ['content-type', 'text/csv; charset=utf-8; header=present'],
        ['content-disposition', `attachment; filename="${dryRunId}.csv"`],
        ['cache-control', 'no-store'],
      ],
      stream: lines(first, (cursor) => read(limits.pageMax, cursor)),
    };
  },
});

interface Page {
  readonly items: readonly DryRunPerson[];
  readonly nextCursor: string | null;
}

async function* lines(
  first: Page,
  read: (cursor: string) => Promise<Page>,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for (let page = first; ; page = await read(page.nextCursor)) {
    yield page.items.map(lineOf).join('');
    if (page.nextCursor === null) return;
  }
}

function lineOf(person: DryRunPerson): string {
  const { channels, fallback, ...view } = dryRunPersonView(person);
  const cells = {
    ...view,
    channels: channels.join('|'),
    fallback: fallback?.verdict,
    fallbackReason: fallback?.reason,
  };
  return csvLine(columns.map((column) => cells[column] ?? ''));
}
