// Tools for campaigns. Sending takes two calls: `create_campaign` shows the draft and its audience,
// `send_campaign` commits it, and answers a repeated call like the first one.

import type { z } from 'zod';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { callRoute, handle, refuseScopes } from '../../call/inner-call.ts';
import type { campaignSchema } from '../../routes/campaigns/campaign-shape.ts';
import type { campaignStatsSchema } from '../../routes/campaigns/campaign-stats-shape.ts';
import { createCampaign, readCampaign, sendCampaign } from '../../routes/campaigns/campaigns.ts';
import { compareCampaigns } from '../../routes/campaigns/compare-campaigns.ts';
import type { dryRunSchema } from '../../routes/campaigns/dry-run-shape.ts';
import { dryRunCampaign } from '../../routes/campaigns/dry-runs.ts';
import { createMessage } from '../../routes/messages/messages.ts';
import { counted, quoted } from '../quoted.ts';
import { type Arguments, routeArguments, routeTool, type Tool, type ToolAnswer } from '../tool.ts';
import { refusalData } from '../tool-result.ts';
import { messageArguments, messageOfCampaign, removeAgain } from './campaign-message.ts';

type Campaign = z.output<typeof campaignSchema>;
type CampaignStats = z.output<typeof campaignStatsSchema>;
type DryRun = z.output<typeof dryRunSchema>;

const creating = routeArguments(createCampaign, { appId: 'appId' });
const sending = routeArguments(sendCampaign, { campaignId: 'id' });
const comparing = routeArguments(compareCampaigns, {});

const createCampaignTool: Tool = {
  name: 'create_campaign',
  title: 'Create a campaign',
  description:
    'Creates a campaign as a draft and counts its live audience, person by person, with the code that sends. It sends `message`, which is saved as a new message, or a copy of a template, or a saved message. Nothing is sent now: only `send_campaign` sends it. Returns the draft, the audience, and the `dryRunId` of the count, which lets `send_campaign` check that the audience is still the same.',
  effect: 'adds',
  routes: [createMessage, createCampaign, dryRunCampaign],
  input: { ...creating.shape, ...messageArguments },
  async run(caller, args) {
    refuseScopes(caller, this.routes); // before a draft is made that cannot be counted
    const campaign = await draftOf(caller, args);
    const draft = `The draft campaign ${campaign.id} was created, and nothing was sent.`;
    try {
      const run = await callRoute(caller, dryRunCampaign, { params: { id: campaign.id } });
      const dryRun = run.body as DryRun;
      const { audience, dryRunId } = dryRun;
      return {
        text: `${draft} ${audienceText(dryRun)} Only send_campaign sends it.`,
        data: { campaign, audience, dryRunId, dryRun },
      };
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      // The draft exists, so a refusal here would lead to a second one.
      const problem = refusalData(error.fault);
      return {
        text: `${draft} Its audience could not be counted: ${quoted(problem.error)}. dry_run_campaign counts it.`,
        data: { campaign, audience: null, dryRunId: null, dryRun: null, problem },
      };
    }
  },
};

async function draftOf(caller: Call, args: Arguments): Promise<Campaign> {
  const message = await messageOfCampaign(caller, args);
  const own = Object.entries(args).filter(([name]) => !Object.hasOwn(messageArguments, name));
  const input = creating.input(caller, { ...Object.fromEntries(own), messageId: message.id });
  try {
    return (await callRoute(caller, createCampaign, input)).body as Campaign;
  } catch (error) {
    if (message.isNew) await removeAgain(caller, args, message.id);
    throw error;
  }
}

const sendCampaignTool: Tool = {
  name: 'send_campaign',
  title: 'Send a campaign',
  description:
    'Sends a draft campaign to its audience, now or as its schedule says. This cannot be undone. With `dryRunId`, it is refused if the audience or the campaign has changed since that dry run. A repeated call sends nothing and returns the campaign with `replayed: true`.',
  effect: 'sends_once',
  routes: [sendCampaign],
  input: sending.shape,
  async run(caller, args) {
    const input = sending.input(caller, args);
    try {
      const { body } = await callRoute(caller, sendCampaign, input);
      const campaign = body as Campaign;
      return { text: `${sentText(campaign)}.`, data: { campaign, replayed: false } };
    } catch (error) {
      return await sentBefore(caller, input.params ?? {}, error);
    }
  },
};

/** After a conflict: the answer of the call that sent the campaign. Throws what is no replay. */
async function sentBefore(
  caller: Call,
  params: Readonly<Record<string, string>>,
  error: unknown,
): Promise<ToolAnswer> {
  if (!(error instanceof FaultError) || error.fault.code !== 'wrong_state') throw error;
  // The scope `send` is enough: sending shows the campaign, too.
  const { body } = await handle(caller, readCampaign, { params });
  const campaign = body as Campaign;
  if (!['scheduled', 'sending', 'paused', 'completed'].includes(campaign.state)) throw error;
  return {
    text: `${sentText(campaign)}. It was sent by an earlier call, and this call sent nothing.`,
    data: { campaign, replayed: true },
  };
}

function sentText({ id, state, nextAt }: Campaign): string {
  const next = nextAt === null ? '' : `, and its next occurrence starts at ${nextAt}`;
  return `Campaign ${id} is ${state}${next}`;
}

const dryRunCampaignTool = routeTool<DryRun>({
  name: 'dry_run_campaign',
  title: 'Dry run a campaign',
  description:
    'Counts who would get a campaign if it was sent now: how many at once, how many later, how many not at all, and why, with some of the people. Nothing is sent. Its `dryRunId` is valid for 24 hours.',
  effect: 'reads',
  route: dryRunCampaign,
  params: { campaignId: 'id' },
  text: (dryRun) => `${audienceText(dryRun)} Nothing was sent.`,
});

const campaignStatsTool: Tool = {
  name: 'campaign_stats',
  title: "Read a campaign's stats",
  description:
    'Live and exact statistics of a campaign: people sent to, delivered, opened, clicked, bounced, suppressed, failed and converted, by channel and variant, with the progress while it is sending.',
  effect: 'reads',
  routes: [compareCampaigns],
  input: { campaignId: sending.shape['campaignId'] as z.ZodType },
  async run(caller, args) {
    const { params: { id = '' } = {} } = sending.input(caller, args);
    const { body } = await callRoute(caller, compareCampaigns, oneCampaign(caller, id));
    const [stats] = (body as { readonly items: readonly CampaignStats[] }).items;
    return { text: statsText(stats as CampaignStats), data: stats as CampaignStats };
  },
};

/** A comma would name two campaigns, so it stays in the id, which then is unknown. */
function oneCampaign(caller: Call, id: string) {
  return comparing.input(caller, { ids: id.replaceAll(',', ' ') } satisfies Arguments);
}

function statsText(stats: CampaignStats): string {
  const { campaignId, state, audience, progress } = stats;
  const counts = (['sent', 'delivered', 'opened', 'clicked'] as const).map(
    (name) => `${stats[name]} ${name}`,
  );
  const wrong = (['bounced', 'suppressed', 'failed'] as const).map(
    (name) => `${stats[name]} ${name}`,
  );
  const done = progress === null ? '' : ` ${progress.done} of ${progress.total} sends are done.`;
  return `Campaign ${campaignId} is ${state}. Of ${counted(audience, 'person', 'people')} in its audience: ${[...counts, ...wrong].join(', ')}, ${stats.converted} converted.${done}`;
}

/** Numbers and stable codes only. */
function audienceText(run: DryRun): string {
  const parts = [
    `${run.wouldSend} would get the message now`,
    `${total(run.wouldDefer)} later${reasons(run.wouldDefer)}`,
    `${total(run.wouldSuppress)} not at all${reasons(run.wouldSuppress)}`,
    `${run.holdout} are in the control group`,
  ];
  return `The audience is ${counted(run.audience, 'person', 'people')} at ${run.at}: ${parts.join(', ')}. The dry run is ${run.dryRunId}.`;
}

function total(people: Readonly<Record<string, number>>): number {
  return Object.values(people).reduce((sum, count) => sum + count, 0);
}

function reasons(people: Readonly<Record<string, number>>): string {
  const listed = Object.entries(people).map(([reason, count]) => `${quoted(reason)}: ${count}`);
  return listed.length === 0 ? '' : ` (${listed.join(', ')})`;
}

export const campaignTools: readonly Tool[] = [
  createCampaignTool,
  sendCampaignTool,
  campaignStatsTool,
  dryRunCampaignTool,
];
