// What receivers report about a sender domain: DMARC aggregate reports, mailed to the address in
// its DMARC record.

import { z } from 'zod';
import { authResults, dispositions } from '../../../actors/tenants/dmarc/aggregate.ts';
import { type DmarcProtocol, dmarcDaysMax } from '../../../actors/tenants/dmarc/protocol.ts';
import { dayMs } from '../../../engine/base/brand.ts';
import { key, route } from '../../call/route.ts';
import { wholeNumber } from '../insights/insight-shape.ts';
import { domainNamed, domainParam } from './email-domain-shape.ts';

const totals = {
  messages: z.int(),
  passed: z.int().describe('By SPF or DKIM, for the domain of the From header.'),
  quarantined: z.int(),
  rejected: z.int(),
};

const counts = { messages: 1200, passed: 1180, quarantined: 0, rejected: 20 };

export const readDmarcReports = route({
  method: 'GET',
  path: '/v1/apps/:appId/email-domains/:domain/dmarc-reports',
  params: { domain: domainParam },
  summary: 'Read DMARC reports',
  description:
    'What receivers reported about mails from the domain, by UTC days, including today: aggregate reports (RFC 7489), which they mail to the address in `dmarcReports` of the domain once a day. Each report counts once. Anybody can mail such a report, and no signature of the receiver is checked: it is what the sender of the report says. At most 200 reports a day count. Kept for 90 days.',
  tag: 'Email domains',
  access: key('read'),
  reads: ['email-domain'],
  query: z.object({
    days: wholeNumber.max(dmarcDaysMax).default(30).describe('Days to look back, 1 to 90.'),
  }),
  responses: {
    200: {
      description: 'What the reports say together.',
      schema: z
        .object({
          total: z.object(totals),
          days: z.array(z.object({ date: z.string(), ...totals })).describe('Oldest first.'),
          reporters: z
            .array(z.object({ org: z.string().nullable(), reports: z.int(), messages: z.int() }))
            .describe('Who reported, as the reports say; `null`: others together.'),
          sources: z
            .array(
              z.object({
                ip: z.string().nullable().describe('`null`: several addresses.'),
                headerFrom: z.string().nullable().describe('Domain of the From header.'),
                messages: z.int(),
                spf: z.enum(authResults).describe('For the envelope sender.'),
                spfAligned: z.boolean().describe('Passed, for the domain of the From header.'),
                dkim: z.enum(authResults).describe('Of any signature.'),
                dkimAligned: z.boolean().describe('Passed, for the domain of the From header.'),
                disposition: z.enum(dispositions).describe('What the receiver did.'),
              }),
            )
            .describe('Servers that sent mails from the domain, the largest first; at most 100.'),
        })
        .meta({
          examples: [
            {
              total: counts,
              days: [{ date: '2026-05-01', ...counts }],
              reporters: [{ org: 'google.com', reports: 1, messages: 1200 }],
              sources: [
                {
                  ip: '203.0.113.5',
                  headerFrom: 'acme.example',
                  messages: 1180,
                  spf: 'pass',
                  spfAligned: false,
                  dkim: 'pass',
                  dkimAligned: true,
                  disposition: 'none',
                },
              ],
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const domain = domainNamed(call.param('domain'));
    const { days } = call.query;
    const summary = await call.to<DmarcProtocol>(call.app()).ask('dmarc.read', { domain, days });
    const total = { messages: 0, passed: 0, quarantined: 0, rejected: 0 };
    for (const one of summary.days)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += one[name];
    return {
      status: 200,
      body: {
        total,
        days: summary.days.map(({ day, ...of }) => ({
          date: new Date(day * dayMs).toISOString().slice(0, 10),
          ...of,
        })),
        reporters: summary.reporters.map((one) => ({ ...one })),
        sources: summary.sources.map(({ count, ...source }) => ({ ...source, messages: count })),
      },
    };
  },
});
