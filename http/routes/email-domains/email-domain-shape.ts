// The wire shape of a sender domain: its state, and the DNS records to set with what was found.

import { z } from 'zod';
import { emailDomain } from '../../../actors/channels/email/address.ts';
import { notFound } from '../../../actors/faults.ts';
import { emailDomainEtag } from '../../../actors/tenants/accounts/account-etags.ts';
import { dkimRecordName, dkimRecordValue } from '../../../actors/tenants/accounts/dkim-record.ts';
import { linkHostName } from '../../../actors/tenants/accounts/link-host.ts';
import type { EmailDomainView } from '../../../actors/tenants/accounts/protocol.ts';
import type { EmailDomainCheck } from '../../../actors/tenants/accounts/records.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { exampleEtag, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

export const domainParam =
  'The domain, such as `example.com`. Upper case, a final dot and international names are accepted.';

export const emailDomainBody = z
  .object({
    domain: z
      .string()
      .max(1_024)
      .superRefine((raw, context) => {
        const checked = emailDomain(raw);
        if ('problem' in checked) context.addIssue({ code: 'custom', message: checked.problem });
      })
      .describe(
        'The domain of the sender addresses, exactly: `example.com` does not include `mail.example.com`.',
      ),
  })
  .meta({ examples: [{ domain: 'acme.example' }] });

const recordSchema = z.object({
  purpose: z
    .enum(['dkim', 'dmarc', 'links'])
    .describe(
      '`links`: the name of links, the pixel and the pages of emails from the domain, as soon as the domain is verified and this record was found. Only if the server operator serves such names.',
    ),
  type: z.enum(['TXT', 'CNAME']),
  name: z.string(),
  value: z.string().describe('One string. Most DNS panels split a long one automatically.'),
  required: z
    .boolean()
    .describe('Whether the domain needs the record to be verified; the others are recommended.'),
  status: z
    .enum(['unchecked', 'found', 'missing', 'wrong', 'unanswered'])
    .describe('Result of the last check. `unanswered`: the DNS gave no answer.'),
  found: z.array(z.string()).describe('The records at this name at the last check.'),
  problem: z.string().nullable(),
});

export const emailDomainSchema = z
  .object({
    domain: z.string().describe('In lower case; international names in punycode.'),
    state: z
      .enum(['pending', 'verified', 'failed'])
      .describe(
        '`pending`: not checked yet. `verified`: the DKIM record was found, and emails from the domain are signed with its key. `failed`: the last check found no DKIM record, or another one. A DNS outage does not change the state.',
      ),
    vouched: z
      .boolean()
      .describe('The server operator allows this domain without proof. It may be verified, too.'),
    records: z.array(recordSchema).describe('DNS records to create.'),
    returnPath: z
      .string()
      .nullable()
      .describe(
        "Domain of the envelope sender, for which receivers check SPF. `null`: the sender address's own domain, whose SPF record must then include the server's mail relay.",
      ),
    dmarcReports: z
      .string()
      .nullable()
      .describe(
        'Address for aggregate reports, for `rua` in the DMARC record; the recommended record has it. Add it to the record that you have. `null`: this server receives no mail.',
      ),
    etag: etagSchema,
    createdAt: instantSchema,
    checkedAt: instantSchema.nullable(),
    verifiedAt: instantSchema.nullable().describe('When it was verified for the last time.'),
  })
  .meta({ id: 'EmailDomain', examples: [exampleDomain()] });

/** The domain of a path, as stored. Throws `not_found` for text that is not a domain. */
export function domainNamed(text: string): string {
  const checked = emailDomain(text);
  if ('problem' in checked) throw new FaultError(notFound('email domain'));
  return checked.value;
}

/** As a caller sees it, whose app it is. */
export function emailDomainView(
  view: EmailDomainView,
  call: Pick<Call<unknown, unknown>, 'app' | 'edge'>,
): z.output<typeof emailDomainSchema> {
  const { domain, selector, publicKey, state, vouched, createdMs, verifiedMs, check } = view;
  const { bounceDomain, linkHost } = call.edge.config;
  const reports = call.edge.dmarcAddress(call.app(), domain);
  return {
    domain,
    state,
    vouched,
    records: [
      {
        purpose: 'dkim',
        type: 'TXT',
        name: dkimRecordName(selector, domain),
        value: dkimRecordValue(publicKey),
        required: true,
        ...checkView(check?.dkim),
      },
      {
        purpose: 'dmarc',
        type: 'TXT',
        name: `_dmarc.${domain}`,
        value: `v=DMARC1; p=none${reports === null ? '' : `; rua=mailto:${reports}`}`,
        required: false,
        ...checkView(check?.dmarc),
      },
      ...(linkHost === undefined
        ? []
        : [
            {
              purpose: 'links' as const,
              type: 'CNAME' as const,
              name: linkHostName(domain),
              value: linkHost,
              required: false,
              ...checkView(check?.links),
            },
          ]),
    ],
    returnPath: bounceDomain ?? null,
    dmarcReports: reports,
    etag: emailDomainEtag(view),
    createdAt: instant(createdMs),
    checkedAt: check === undefined ? null : instant(check.atMs),
    verifiedAt: verifiedMs === undefined ? null : instant(verifiedMs),
  };
}

function checkView(check: EmailDomainCheck['dkim'] | undefined) {
  if (check === undefined) return { status: 'unchecked' as const, found: [], problem: null };
  return { status: check.status, found: [...check.found], problem: check.problem ?? null };
}

function exampleDomain() {
  const value = 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA';
  const reports = `dmarc+${'0'.repeat(36)}.${'0'.repeat(16)}@bounces.engage.example`;
  const dmarc = `v=DMARC1; p=none; rua=mailto:${reports}`;
  return {
    domain: 'acme.example',
    state: 'verified' as const,
    vouched: false,
    records: [
      {
        purpose: 'dkim' as const,
        type: 'TXT' as const,
        name: 'engage-3f9ac21b07._domainkey.acme.example',
        value,
        required: true,
        status: 'found' as const,
        found: [value],
        problem: null,
      },
      {
        purpose: 'dmarc' as const,
        type: 'TXT' as const,
        name: '_dmarc.acme.example',
        value: dmarc,
        required: false,
        status: 'found' as const,
        found: [dmarc],
        problem: null,
      },
    ],
    returnPath: 'bounces.engage.example',
    dmarcReports: reports,
    etag: exampleEtag,
    createdAt: exampleInstant(),
    checkedAt: exampleInstant(300),
    verifiedAt: exampleInstant(300),
  };
}
