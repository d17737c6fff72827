import t from 'tap';
import { carrierInbound, carrierReport } from '../../../../actors/channels/carrier/callbacks.ts';

const form = (members: Record<string, string>) => new URLSearchParams(members);

t.test('each status of a message means what it says', async (t) => {
  const cases = [
    [{ MessageStatus: 'queued' }, { kind: 'taken' }],
    [{ MessageStatus: 'sent' }, { kind: 'taken' }],
    [{ MessageStatus: 'delivered' }, { kind: 'arrived' }],
    [{ MessageStatus: 'read' }, { kind: 'read' }],
    [{ MessageStatus: 'undelivered' }, { reason: 'undelivered', effect: 'none' }],
    [{ MessageStatus: 'canceled' }, { reason: 'canceled', effect: 'none' }],
    [
      { MessageStatus: 'failed', ErrorCode: '30005' },
      { reason: 'unknown_handset', effect: 'dead' },
    ],
    [{ MessageStatus: 'failed', ErrorCode: '21614' }, { effect: 'dead' }],
    [{ MessageStatus: 'undelivered', ErrorCode: '30003' }, { effect: 'none' }],
    [
      { MessageStatus: 'failed', ErrorCode: '21610' },
      { reason: 'opted_out', effect: 'opted_out' },
    ],
    [
      { MessageStatus: 'failed', ErrorCode: '30008' },
      { reason: 'unknown_error', effect: 'none' },
    ],
    [{ MessageStatus: 'failed', ErrorCode: '30034' }, { effect: 'none' }],
    [
      { MessageStatus: 'failed', ErrorCode: '99999' },
      { reason: 'code_99999', effect: 'none' },
    ],
    [
      { MessageStatus: 'failed', ErrorCode: 'x' },
      { reason: 'failed', effect: 'none' },
    ],
    [
      { MessageStatus: 'failed', ErrorCode: '' },
      { reason: 'failed', effect: 'none' },
    ],
  ] as const;
  for (const [members, meant] of cases)
    t.match(carrierReport('sms', form(members)), meant, JSON.stringify(members));
});

t.test(
  'each status of a call means what it says, and numbers are pruned by their channel',
  async (t) => {
    const cases = [
      [{ CallStatus: 'ringing' }, { kind: 'taken' }],
      [{ CallStatus: 'completed' }, { kind: 'arrived' }],
      [{ CallStatus: 'busy' }, { reason: 'busy', effect: 'none' }],
      [{ CallStatus: 'no-answer' }, { reason: 'no_answer', effect: 'none' }],
      [{ CallStatus: 'failed', ErrorCode: '13224' }, { effect: 'dead' }],
      [{ CallStatus: 'failed', ErrorCode: '21217' }, { effect: 'dead' }],
      [
        { CallStatus: 'failed', SipResponseCode: '404' },
        { reason: 'failed', effect: 'none' },
      ],
      [{ CallStatus: 'failed', ErrorCode: '21614' }, { effect: 'none' }],
    ] as const;
    for (const [members, meant] of cases)
      t.match(carrierReport('voice', form(members)), meant, JSON.stringify(members));
  },
);

t.test('a form that says nothing we know says nothing', async (t) => {
  for (const members of [{}, { MessageStatus: 'teleported' }, { CallStatus: 'completed' }])
    t.equal(carrierReport('sms', form(members)), undefined);
});

t.test('the carrier’s own reading of a message comes before ours', async (t) => {
  const of = (Body: string, OptOutType?: string) =>
    carrierInbound(
      form({ MessageSid: 'SM1', From: '+14155550123', Body, ...(OptOutType && { OptOutType }) }),
    )?.keyword;
  t.equal(of('stop'), 'stop');
  t.equal(of('Kündigen', 'STOP'), 'stop');
  t.equal(of('stop', 'HELP'), 'help');
  t.equal(of('stop', 'NEW'), 'stop');
  t.equal(of('hello'), undefined);
});

t.test('an inbound form without an id or a number is none', async (t) => {
  t.equal(carrierInbound(form({ From: '+14155550123', Body: 'STOP' })), undefined);
  t.equal(carrierInbound(form({ MessageSid: 'SM1', Body: 'STOP' })), undefined);
  t.match(carrierInbound(form({ SmsSid: 'SM1', From: 'whatsapp:+14155550123' })), {
    from: '+14155550123',
  });
});
