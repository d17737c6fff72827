// A record that is wrong in one place makes nobody, but whoever opted out in it is opted out: the
// same address may stand in another line.

import t from 'tap';
import { mapRecord } from '../../../cli/import/map-record.ts';
import type { Service, ServiceRecord } from '../../../cli/import/origin.ts';
import { services } from '../support/move.ts';

interface Case {
  readonly service: Service;
  readonly format: 'csv' | 'json';
  /** An address, and what says that it must not be sent to. */
  readonly left: readonly Readonly<Record<string, unknown>>[];
  /** Each makes the record wrong, whatever else it says. */
  readonly faults: readonly Readonly<Record<string, unknown>>[];
}

const longId = 'x'.repeat(300);
const cases: readonly Case[] = [
  {
    service: services.onesignal,
    format: 'csv',
    left: [
      { identifier: 'ann@example.com', device_type: '11', notification_types: '-2' },
      { identifier: 'ann@example.com', device_type: '11', unsubscribed_at: '2026-01-01' },
      { identifier: '+14155550123', device_type: '14', invalid_identifier: 't' },
    ],
    faults: [
      { external_user_id: '1,23E+15' },
      { external_id: longId },
      { tags: '{"plan": ' },
      { tags: '[1]' },
    ],
  },
  {
    service: services.onesignal,
    format: 'csv',
    left: [{ identifier: 'ann@example.com', device_type: '11', unsubscribed_at: '2026-01-01' }],
    faults: [{ notification_types: 'no' }],
  },
  {
    service: services.braze,
    format: 'json',
    left: [
      { email: 'ann@example.com', email_subscribe: 'unsubscribed' },
      { email: 'ann@example.com', email_subscribe: 'opted_in', email_hard_bounced_at: 'x' },
    ],
    faults: [
      { external_id: longId },
      { subscription_groups: 'news' },
      { subscription_groups: [{ name: 'news', status: 'perhaps' }] },
      { custom_attributes: 'x' },
    ],
  },
  {
    service: services.braze,
    format: 'json',
    left: [
      {
        phone: '+14155550123',
        subscription_groups: [{ name: 'Texts', channel: 'sms', status: 'Unsubscribed' }],
      },
    ],
    faults: [{ email: 'ann@example.com', email_subscribe: 'perhaps' }, { external_id: longId }],
  },
  {
    service: services.customerio,
    format: 'csv',
    left: [{ email: 'ann@example.com', unsubscribed: 'true' }],
    faults: [
      { id: '9.9E+20' },
      { cio_subscription_preferences: '{"topics"' },
      { cio_subscription_preferences: '{"topics": {"a": "maybe"}}' },
    ],
  },
  {
    service: services.customerio,
    format: 'csv',
    left: [{ phone: '+14155550123', cio_subscription_preferences: '{"channels": {"sms": false}}' }],
    faults: [{ unsubscribed: 'perhaps' }, { id: longId }],
  },
  {
    service: services.klaviyo,
    format: 'csv',
    left: [
      { email: 'ann@example.com', 'email marketing consent': 'UNSUBSCRIBED' },
      { email: 'ann@example.com', 'email suppressions': '["HARD_BOUNCE"]' },
    ],
    faults: [{ 'external id': longId }, { 'external id': '1E+19' }],
  },
  {
    service: services.klaviyo,
    format: 'csv',
    left: [{ 'phone number': '+14155550123', 'sms marketing consent': 'UNSUBSCRIBED' }],
    faults: [{ email: 'ann@example.com', 'email marketing consent': 'perhaps' }],
  },
  {
    service: services.mailchimp,
    format: 'csv',
    left: [{ 'email address': 'ann@example.com', unsub_time: '2026-01-01' }],
    faults: [],
  },
  {
    service: services.listmonk,
    format: 'csv',
    left: [{ email: 'ann@example.com', status: 'blocklisted' }],
    faults: [{ attributes: '{' }, { attributes: '"x"' }],
  },
];

function drafted({ service, format }: Case, values: Readonly<Record<string, unknown>>) {
  const names = Object.keys(values);
  const record: ServiceRecord = {
    line: 2,
    file: {
      name: 'people.csv',
      format,
      columns: new Set(format === 'csv' ? names : []),
      isSuppressed: false,
      mayAssume: false,
    },
    names,
    text: (name) => {
      const value = values[name];
      return typeof value === 'string' ? value : '';
    },
    value: (name) => values[name],
  };
  const options = {
    title: service.title,
    consent: 'confirmed',
    optOuts: 'as-exported',
    tagPrefix: '',
  } as const;
  return mapRecord(service, record, [], options);
}

t.test('an opt-out of a wrong record counts, and the record makes nobody', async (t) => {
  for (const all of cases)
    for (const left of all.left) {
      const right = drafted(all, left);
      t.ok(right.optOuts.length > 0, `${all.service.id} ${JSON.stringify(left)}`);
      t.equal(right.problem, undefined);
      for (const fault of [...all.faults, Object.assign({}, ...all.faults)])
        if (Object.keys(fault).length > 0)
          for (const values of [
            { ...fault, ...left },
            { ...left, ...fault },
          ]) {
            const draft = drafted(all, values);
            const said = `${all.service.id} ${JSON.stringify(values).slice(0, 200)}`;
            t.same(draft.optOuts.slice(0, right.optOuts.length), right.optOuts, said);
            t.not(draft.problem, undefined, said);
            t.equal(
              draft.row(() => 'topic'),
              undefined,
              said,
            );
          }
    }
});
