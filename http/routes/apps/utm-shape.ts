// The wire shape of the setting `utm`: the campaign parameters of links.

import { z } from 'zod';
import { utmFault, utmNames } from '../../../actors/content/render/utm.ts';
import type { UtmSetting } from '../../../actors/tenants/accounts/records.ts';
import { type UtmMember, utmMembers } from '../../../actors/tenants/accounts/utm-setting.ts';
import { isOneLine } from '../../call/schemas/schemas.ts';

const sourceCharsMax = 500;

const member = (name: UtmMember) =>
  z
    .string()
    .trim()
    .max(sourceCharsMax)
    .refine(isOneLine, 'must not contain control characters')
    .superRefine((source, context) => {
      const fault = utmFault(name, source);
      const message = fault?.message.replace(`utm.${name}: `, '');
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .nullish()
    .describe(`The parameter \`utm_${name}\`.`);

export const utmPatch = z
  .object({
    source: member('source'),
    medium: member('medium'),
    campaign: member('campaign'),
    term: member('term'),
    content: member('content'),
  })
  .nullable()
  .optional()
  .describe(
    `Campaign parameters that links get, in Liquid over ${utmNames.map((name) => `\`${name}\``).join(', ')} and \`app.name\`; \`campaign\` and \`journey\` are names, \`step\` and \`variant\` ids. The links of an email's HTML get them, and deep links and buttons with http or https on every channel; addresses in a text do not, nor do links to unsubscribe pages and preferences. A parameter that a link already has stays, and empty ones are omitted. Messages of campaigns and journeys get them unless the message says \`utm: false\`, transactional ones only with \`utm: true\`. Replaced as a whole; \`null\` turns them off.`,
  );

export const utmSchema = z
  .object({
    source: z.string().nullable(),
    medium: z.string().nullable(),
    campaign: z.string().nullable(),
    term: z.string().nullable(),
    content: z.string().nullable(),
  })
  .nullable()
  .describe('The campaign parameters of links.');

export const noUtm = { source: null, medium: null, campaign: null, term: null, content: null };

/** `null` if no member adds anything. */
export function ownUtm(patch: NonNullable<z.output<typeof utmPatch>>): UtmSetting | null {
  const given = utmMembers.flatMap((name) => {
    const source = patch[name] ?? '';
    return source === '' ? [] : [[name, source] as const];
  });
  return given.length === 0 ? null : (Object.fromEntries(given) as UtmSetting);
}

export function utmView(utm: UtmSetting | null | undefined) {
  return utm == null ? null : { ...noUtm, ...utm };
}
