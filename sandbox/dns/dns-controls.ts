// The control routes of the sandbox's DNS.

import { z } from 'zod';
import { type ControlRoute, ok, parseControl, refused } from '../control-route.ts';
import { failingLabels, recordsMax, type Zone } from './zone.ts';

const nameShape = z
  .string()
  .trim()
  .regex(
    /^(?=.{1,254}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{1,63}\.?$/i,
    'expected a name such as _dmarc.example.com; write international names in punycode',
  );

const newRecord = z
  .object({
    type: z.enum(['TXT', 'CNAME']).default('TXT'),
    name: nameShape,
    value: z.string().trim().min(1).max(1_000),
  })
  .refine(({ type, value }) => type === 'TXT' || nameShape.safeParse(value).success, {
    path: ['value'],
    message: 'a CNAME needs a name such as example.com',
  });

/** As the API returns them with a sender domain. */
const newRecords = z.object({ records: z.array(newRecord).min(1).max(20) });
const oneRecord = newRecord.transform((record) => ({ records: [record] }));

export function dnsControls(zone: Zone): readonly ControlRoute[] {
  const all = () => ok({ records: zone.records, failingLabels });
  return [
    {
      method: 'GET',
      path: '/dns',
      about: "The records of the sandbox's DNS, which verifies sender domains.",
      handle: all,
    },
    {
      method: 'POST',
      path: '/dns',
      about:
        '{type: TXT|CNAME, name, value}, or the response of POST /v1/apps/:appId/email-domains: adds records.',
      handle({ body }) {
        const isMany = typeof body === 'object' && body !== null && 'records' in body;
        const parsed = parseControl(isMany ? newRecords : oneRecord, body);
        if ('refusal' in parsed) return parsed.refusal;
        for (const { type, name, value } of parsed.value.records)
          if (zone.add(type, name, value) === undefined)
            return refused(409, `the sandbox holds at most ${recordsMax} records`);
        return { ...all(), status: 201 };
      },
    },
    {
      method: 'DELETE',
      path: '/dns',
      about: 'Removes every record.',
      handle() {
        zone.clear();
        return all();
      },
    },
    {
      method: 'DELETE',
      path: '/dns/:id',
      about: 'Removes one record.',
      handle: ({ id }) => (zone.remove(Number(id)) ? all() : refused(404, 'no such record')),
    },
  ];
}
