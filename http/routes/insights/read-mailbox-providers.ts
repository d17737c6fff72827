// Mailbox providers: what became of an app's mails, by who has the mailboxes.

import { z } from 'zod';
import { mailboxGroups } from '../../../actors/channels/email/mailbox-groups.ts';
import {
  type MailFact,
  mailFacts,
  reasonFacts,
} from '../../../actors/sending/mailboxes/figures.ts';
import {
  type DailyCounts,
  type MailboxesProtocol,
  type MailboxProviders,
  mailDaysMax,
} from '../../../actors/sending/mailboxes/protocol.ts';
import { dayMs } from '../../../engine/base/brand.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { appIdQuery, askNamedApp, wholeNumber } from './insight-shape.ts';

const daysDefault = 30;

/** As callers see them. */
const names = {
  sent: 'sent',
  delivered: 'delivered',
  deferred: 'deferred',
  bouncedHard: 'bouncedHard',
  bouncedSoft: 'bouncedSoft',
  complained: 'complained',
  opened: 'openedByPeople',
  openedByMachines: 'openedByMachines',
  clicked: 'clicked',
  clickedByMachines: 'clickedByMachines',
} as const satisfies Record<MailFact, string>;

const words: Record<MailFact, string> = {
  sent: 'Emails that were handed over, or refused permanently.',
  delivered:
    "Emails that the recipient's server accepted, as the relay reports; without a relay that reports, that the mail server accepted. A later bounce does not change it.",
  deferred: 'Attempts that the other side asked to repeat later.',
  bouncedHard: 'There is no such mailbox.',
  bouncedSoft: 'Refused or failed for another reason.',
  complained: 'The reader reported it as spam.',
  opened: 'Opens by people, counted once per hour and email.',
  openedByMachines: 'Opens by prefetching proxies and scanners.',
  clicked: 'Clicks by people, counted once per hour and link.',
  clickedByMachines: 'Clicks by scanners.',
};

const figures = z.object(
  Object.fromEntries(mailFacts.map((fact) => [names[fact], z.int().describe(words[fact])])),
);

const row = {
  total: figures.describe('Over all days.'),
  daily: z
    .record(z.string(), z.array(z.int()))
    .describe(
      'The same figures as lists, in the order of `dates`; figures without any are omitted.',
    ),
};

const exampleTotal = {
  sent: 1200,
  delivered: 1100,
  deferred: 400,
  bouncedHard: 10,
  bouncedSoft: 5,
  complained: 2,
  openedByPeople: 310,
  openedByMachines: 120,
  clicked: 44,
  clickedByMachines: 9,
};
const exampleRow = { total: exampleTotal, daily: { sent: [700, 500], deferred: [0, 400] } };

export const readMailboxProviders = route({
  method: 'GET',
  path: '/v1/insights/mailbox-providers',
  summary: 'Read mailbox providers',
  description:
    "Outcomes of an app's emails by the provider of the mailbox, by the sender's domain and by the relay, over the last `days` calendar days in the app's time zone, including today. A provider is known by its own domains, and by the mail exchangers of domains that it hosts, which are looked up once a day; until the first answer such a mailbox is one of `others`. Opens, clicks, bounces and complaints that come later count on the day when Engage learns of them, for the sender of the newest email. An email that bounces later stays `delivered` on its day. Test sends count, because providers see them, too. Figures are kept for 90 days and contain no person.",
  tag: 'Insights',
  access: key('read'),
  reads: ['outcome'],
  query: z.object({
    appId: appIdQuery,
    days: wholeNumber.max(mailDaysMax).default(daysDefault).describe('Days to look back, 1 to 90.'),
    domain: z.string().max(253).optional().describe("Only mails of this sender's domain."),
    relay: z.string().max(64).optional().describe('Only mails of this relay, or of `server`.'),
  }),
  responses: {
    200: {
      description: 'By provider, sender and relay.',
      schema: z
        .object({
          dates: z.array(z.string()).describe('The days, oldest first.'),
          providers: z.array(
            z.object({
              provider: z.enum(mailboxGroups),
              ...row,
              reasons: z
                .array(
                  z.object({
                    figure: z.enum(reasonFacts),
                    reason: z.string().describe('A code, as in receipts.'),
                    detail: z.string().nullable().describe("The other side's newest words."),
                    count: z.int(),
                    lastAt: z.string(),
                  }),
                )
                .describe('Why, the most frequent first; at most 5, of all senders and relays.'),
            }),
          ),
          domains: z
            .array(z.object({ domain: z.string().nullable(), ...row }))
            .describe(
              "Senders' domains, the busiest first: 20, and the others together as `null`. Empty for the server's own sender.",
            ),
          relays: z
            .array(z.object({ relay: z.string().nullable(), ...row }))
            .describe('Relays by id, likewise; `server` is the mail server of this installation.'),
        })
        .meta({
          examples: [
            {
              dates: ['2026-05-01', '2026-05-02'],
              providers: [
                {
                  provider: 'yahoo',
                  ...exampleRow,
                  reasons: [
                    {
                      figure: 'deferred',
                      reason: 'deferred',
                      detail: '421 4.7.0 [TSS04] Messages temporarily deferred',
                      count: 400,
                      lastAt: '2026-05-02T09:30:00.000Z',
                    },
                  ],
                },
              ],
              domains: [{ domain: 'news.example.com', ...exampleRow }],
              relays: [{ relay: 'server', ...exampleRow }],
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId, days, domain, relay } = call.query;
    const asked = { days, ...present({ domain: domain?.toLowerCase(), relay }) };
    const found = await askNamedApp(call, appId, (app) =>
      call.to<MailboxesProtocol>(app).ask('mailboxes.read', asked),
    );
    return { status: 200, body: shown(found) };
  },
});

function shown({ days, providers, domains, relays }: MailboxProviders) {
  return {
    dates: days.map((day) => new Date(day * dayMs).toISOString().slice(0, 10)),
    providers: providers.map(({ group, counts, reasons }) => ({
      provider: group,
      ...rowOf(counts),
      reasons: reasons.map(({ fact, reason, detail, count, lastAtMs }) => ({
        figure: fact,
        reason,
        detail: detail ?? null,
        count,
        lastAt: new Date(lastAtMs).toISOString(),
      })),
    })),
    domains: domains.map(({ domain, counts }) => ({ domain, ...rowOf(counts) })),
    relays: relays.map(({ relay, counts }) => ({ relay, ...rowOf(counts) })),
  };
}

function rowOf(counts: DailyCounts) {
  const total: Record<string, number> = {};
  const daily: Record<string, readonly number[]> = {};
  for (const fact of mailFacts) {
    const sum = counts[fact].reduce((all, one) => all + one, 0);
    total[names[fact]] = sum;
    if (sum > 0) daily[names[fact]] = counts[fact];
  }
  return { total, daily };
}
