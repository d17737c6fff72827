// Reads an org's usage in a month, as invoiced. The actor's clock decides the current month, so a
// call without `month` passes none on.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { UsageProtocol } from '../../../actors/tenants/usage/protocol.ts';
import { utcMonthText } from '../../../engine/time/utc-month.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { monthQuery } from '../billing/invoice-shape.ts';
import { emailUsage, emailUsageSchema } from '../clients/client-shape.ts';
import { requireOrgKey } from '../org-key.ts';

const count = z.int().min(0);

const unvouchedMeaning =
  'How many of them nobody has vouched for: created by a call without a key, and since then no event or change with a key, no identity hash and no delivered message. A jump may mean that someone creates fake people. Of a past month, as of its end; `null` for a deleted app.';

const usageSchema = z
  .object({
    month: z.string().describe('A UTC calendar month.'),
    mau: count.describe('Monthly active users of all apps and client workspaces together.'),
    byApp: z
      .array(
        z.object({
          appId: z
            .string()
            .nullable()
            .describe('`null`: combined usage of apps deleted before the last thousand deletions.'),
          name: z.string().nullable(),
          deleted: z.boolean().describe('A deleted app keeps its past usage.'),
          mau: count,
          mauByDay: z
            .array(count.nullable())
            .nullable()
            .describe(
              'The same by the end of each UTC day of the month, from the first; the last is today so far. `null` for a deleted app and for months before the last three; days before daily counts started are `null`.',
            ),
          unvouched: count.nullable().describe(unvouchedMeaning),
          expired: count
            .nullable()
            .describe(
              'How many anonymous people expired in the month: their app setting `anonymousExpiryDays`. They still count in `mau`. `null` for a deleted app.',
            ),
        }),
      )
      .describe('Existing apps, oldest first, then deleted apps that had active users.'),
    clients: z
      .array(
        z.object({
          orgId: z.string(),
          name: z.string(),
          mau: count,
          emails: emailUsageSchema,
        }),
      )
      .describe(
        'Client workspaces, as each last reported: at most a minute ago. Deleted ones are listed in months in which they used something.',
      ),
    emails: emailUsageSchema.describe(
      "The org's own, without those of its client workspaces. Each copy (`cc`, `bcc`) is one.",
    ),
  })
  .meta({
    id: 'OrgUsage',
    examples: [
      {
        month: '2026-09',
        mau: 13_320,
        byApp: [
          {
            appId: exampleIds.app,
            name: 'Shop',
            deleted: false,
            mau: 12_480,
            mauByDay: [2_104, 3_966, 5_218],
            unvouched: 31,
            expired: 7,
          },
        ],
        clients: [
          {
            orgId: exampleIds.client,
            name: 'Harbour Coffee',
            mau: 840,
            emails: { delivered: 312, included: limits.emailAllowance, overage: 0 },
          },
        ],
        emails: { delivered: 20_312, included: limits.emailAllowance, overage: 312 },
      },
    ],
  });

export const readUsage = route({
  method: 'GET',
  path: '/v1/org/usage',
  summary: "Read a month's usage",
  description:
    'A person counts once per month and app, for a session, any other event or a delivered message. The month is the ' +
    'one in which the service accepted it, whatever time the event itself carries. Erasing a person or an app does not ' +
    'lower the count. Needs an org-scoped key.',
  tag: 'Org',
  access: key('read'),
  reads: ['usage', 'client'],
  query: z.object({ month: monthQuery }),
  responses: { 200: { description: "The month's usage.", schema: usageSchema } },
  async handle(call) {
    requireOrgKey(call, 'usage of the org is', 'read');
    const { month, apps, emails, clients } = await call
      .to<UsageProtocol>(call.org)
      .ask('org.meter', present({ month: call.query.month }));
    const counted = [...apps, ...clients];
    const body = {
      month: utcMonthText(month),
      mau: counted.reduce((sum, { mau }) => sum + mau, 0),
      byApp: apps,
      clients: clients.map(({ orgId, name, mau, emailsDelivered, emailsIncluded }) => ({
        orgId,
        name,
        mau,
        emails: emailUsage(emailsDelivered, emailsIncluded),
      })),
      emails: emailUsage(emails.delivered, emails.included),
    };
    return { status: 200, body };
  },
});
