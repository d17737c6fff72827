// Routes about one campaign, each at two paths: by its id alone, and below its app.

import type { z } from 'zod';
import { key, type Nouns, type Route, route } from '../../call/route.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

type BothRoutes = readonly [byId: Route, ofApp: Route];

/** The same route at `/v1/campaigns/:id/<tail>` and at `/v1/apps/:appId/campaigns/:id/<tail>`. */
export function campaignRoutes<
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  tail: string,
  { summary, creates, ...declaration }: Omit<Route<Query, Body>, 'path' | 'tag' | 'lane'> & Nouns,
): BothRoutes {
  const below = (start: string, summary: string) =>
    route<Query, Body>({
      ...declaration,
      ...(creates && { creates: { ...creates, read: `${start}/campaigns/:id` } }),
      path: `${start}/campaigns/:id/${tail}`,
      summary,
      tag: 'Campaigns',
      lane: 'standard',
    });
  return [below('/v1', `${summary} by id`), below('/v1/apps/:appId', summary)];
}

/** The response is the changed campaign. */
export function campaignAction<Body extends z.ZodType = z.ZodUndefined>(
  action: 'send' | 'unschedule' | 'pause' | 'resume' | 'cancel' | 'archive' | 'unarchive',
  declaration: Pick<Route<z.ZodUndefined, Body>, 'summary' | 'description' | 'body'>,
  asked: (body: z.output<Body>) => object = () => ({}),
): BothRoutes {
  return campaignRoutes<z.ZodUndefined, Body>(action, {
    ...declaration,
    method: 'POST',
    access: key(action.endsWith('archive') ? 'write' : 'send'),
    changes: ['campaign'],
    params: { id: 'Campaign id.' },
    edits: `campaign.${action}`,
    ...(declaration.body === undefined ? {} : { optionalBody: true }),
    responses: { 200: { description: 'The updated campaign.', schema: campaignSchema } },
    refusals: [404, 409],
    async handle(call) {
      const campaign = await askOfCampaign(call, `campaign.${action}`, asked(call.body));
      return { status: 200, body: campaignView(campaign) };
    },
  });
}
