// The message that a chat workspace gets when a campaign has finished sending. Slack shows the
// blocks; Mattermost and Discord's Slack form know only the text, so both say everything. A
// campaign's name is somebody's text: it must not mention, link or format anything. Pure.

import { channelLabels } from '../../channels/channel-ids.ts';
import type { ChannelFunnel } from '../../programs/campaigns/funnel.ts';
import type { WebhookEvent } from './event.ts';

type Finished = Extract<WebhookEvent, { readonly kind: 'campaign.completed' }>;

const nameCharsMax = 120;

/** `{text, blocks}` as Slack's incoming webhooks take it. */
export function chatMessageOf({ meta }: Finished): Buffer {
  const name = harmlessName(meta.name);
  const { occurrence = null, state } = meta;
  const isOneOfMany = occurrence !== null && (occurrence > 1 || state !== 'completed');
  const which = isOneOfMany ? `, occurrence ${occurrence},` : '';
  const people = [
    ['Audience', meta.audience],
    ['Opened', meta.opened],
    ['Clicked', meta.clicked],
    ['Suppressed', meta.suppressed],
  ] as const;
  const lines = [
    `*All devices*: ${countsOf(meta.devices)}`,
    ...channelsOf(meta).map(([label, funnel]) => `*${label}*: ${countsOf(funnel)}`),
  ];
  const peopleText = people.map(([label, count]) => `${label}: ${grouped(count)}`).join(', ');
  const message = {
    text: [
      `Campaign “${name}”${which} has finished sending.`,
      `People. ${peopleText}`,
      ...lines,
    ].join('\n'),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: 'Campaign finished sending', emoji: false },
      },
      {
        type: 'section',
        text: {
          type: 'plain_text',
          text: isOneOfMany ? `${name}, occurrence ${occurrence}` : name,
          emoji: false,
        },
      },
      {
        type: 'section',
        fields: people.map(([label, count]) => ({
          type: 'mrkdwn',
          text: `*${label} (people)*\n${grouped(count)}`,
        })),
      },
      { type: 'section', text: { type: 'mrkdwn', text: lines.join('\n') } },
    ],
  };
  return Buffer.from(JSON.stringify(message), 'utf8');
}

function countsOf(funnel: Omit<ChannelFunnel, 'suppressed'>): string {
  const { sent, delivered, bounced, failed } = funnel;
  return `sent ${grouped(sent)}, delivered ${grouped(delivered)}, bounced ${grouped(bounced)}, failed ${grouped(failed)}`;
}

/** In the order of the catalog. */
function channelsOf({ byChannel }: Finished['meta']): [label: string, funnel: ChannelFunnel][] {
  const found: [string, ChannelFunnel][] = [];
  for (const [channel, label] of Object.entries(channelLabels)) {
    const funnel = byChannel[channel as keyof typeof byChannel];
    if (funnel !== undefined) found.push([label, funnel]);
  }
  return found;
}

/** `12,345`, without the machine's locale. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** One line without markup: no control or direction characters, mentions, links or code. */
function harmlessName(name: string): string {
  const line = name
    .replace(/[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replace(/`/g, "'")
    .trim();
  const characters = [...line];
  if (line === '') return '(no name)'; // Slack refuses an empty text
  const short =
    characters.length > nameCharsMax ? `${characters.slice(0, nameCharsMax - 1).join('')}…` : line;
  return short
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, `@${zeroWidthSpace}`)
    .replace(/\]\(/g, `]${zeroWidthSpace}(`);
}

/** Between `@` and `everyone` it keeps Mattermost and Discord from notifying everyone. */
const zeroWidthSpace = '\u200b';
