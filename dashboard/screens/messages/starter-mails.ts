// The mails among the starters, as designs of blocks. Their HTML is made when one of them is
// chosen.

import { type Block, type Design, usualLook } from '../../editor/blocks/model.ts';

const there = "{{ first_name | default: 'there' }}";

type Values = Block['values'];

function designed(
  preheader: string,
  blocks: readonly (readonly [kind: string, values: Values, columns?: Block['columns']])[],
): Design {
  return {
    version: 1,
    look: usualLook,
    preheader,
    blocks: blocks.map(([kind, values, columns], at) => ({
      id: `${kind}-${at}`,
      kind,
      values,
      ...(columns === undefined ? {} : { columns }),
    })),
  };
}

const story = (id: string, title: string, words: string): readonly Block[] => [
  { id: `${id}-title`, kind: 'heading', values: { words: title, level: '3', align: 'left' } },
  { id: `${id}-words`, kind: 'text', values: { words, align: 'left' } },
];

export const welcomeMail = designed('Three first steps, five minutes.', [
  [
    'hero',
    {
      title: `Welcome aboard, ${there}`,
      words: 'Your account is ready. Here is how most people begin.',
      label: 'Get started',
      href: 'https://example.com/start',
    },
  ],
  ['heading', { words: 'Three first steps', level: '2', align: 'left' }],
  [
    'list',
    {
      items: 'Complete your **profile**\nInvite your **team**\nTry your **first project**',
    },
  ],
  ['divider', { colour: '#dfe1e6' }],
  ['text', { words: 'Questions? Reply to this email. A person reads it.', align: 'left' }],
  ['social', { links: 'Help | https://example.com/help\nBlog | https://example.com/blog' }],
]);

export const receiptMail = designed('We received your payment of {{ amount }}.', [
  ['heading', { words: 'Thank you for your order', level: '1', align: 'left' }],
  ['text', { words: `Hello ${there}, we received your payment.`, align: 'left' }],
  ['table', { rows: 'Receipt | {{ receipt_id }}\nDate | {{ paid_at }}\nTotal | **{{ amount }}**' }],
  ['button', { label: 'View receipt', href: 'https://example.com/receipts', align: 'left' }],
  ['text', { words: 'Keep this mail: it is your proof of purchase.', align: 'left' }],
]);

export const newsletterMail = designed('A faster search, shared views, dark mode.', [
  [
    'menu',
    {
      links:
        'News | https://example.com/news\nShop | https://example.com/shop\nHelp | https://example.com/help',
      align: 'center',
    },
  ],
  ['heading', { words: 'What is new this month', level: '1', align: 'left' }],
  [
    'text',
    {
      words: `Hello ${there}, three things are worth two minutes of your time. The first is a **faster search**: results appear while you type.`,
      align: 'left',
    },
  ],
  ['button', { label: 'Read everything', href: 'https://example.com/news', align: 'left' }],
  ['divider', { colour: '#dfe1e6' }],
  [
    'columns',
    {},
    [
      story('left', 'Shared views', 'Send a colleague exactly what you see.'),
      story('right', 'Dark mode', 'Switch them on in your settings.'),
    ],
  ],
  ['quote', { words: 'It saves me an hour a week.', who: 'Ada, since March' }],
  [
    'social',
    {
      links: 'Instagram | https://instagram.com/you\nLinkedIn | https://linkedin.com/company/you',
    },
  ],
]);
