// What Postmark posts to a server's webhooks: one event a call, with basic credentials.

import type { Fact } from '../relay/relay-faults.ts';
import type { ReportSpeech, TakenMail } from '../relay/relay-reports.ts';

const passwordDefault = 'sandbox-postmark-events';
export const streamName = 'MessageStream';

export const postmarkSpeech: ReportSpeech = {
  service: 'postmark',
  about: 'and the secret that is the password of the address.',
  config: (hook) => ({ eventsPassword: hook?.secret ?? passwordDefault }),
  report(hook, mail, fact, nowMs, isForged) {
    const event = eventOf(mail, fact, new Date(nowMs).toISOString());
    if (event === undefined) return undefined;
    const password = `${hook.secret ?? passwordDefault}${isForged ? '-not' : ''}`;
    return {
      url: hook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Postmark',
        authorization: `Basic ${Buffer.from(`engage:${password}`).toString('base64')}`,
      },
      body: JSON.stringify(event),
    };
  },
};

function eventOf(mail: TakenMail, fact: Fact, at: string): object | undefined {
  const { [streamName]: MessageStream = 'outbound', ...Metadata } = mail.echoed;
  const base = { MessageID: mail.messageId, ServerID: 23, MessageStream, Tag: '', Metadata };
  const bounce = (Type: string, TypeCode: number, Name: string, Details: string) => ({
    RecordType: 'Bounce',
    ...base,
    ID: 692560173,
    Type,
    TypeCode,
    Name,
    Description: `${Name}.`,
    Details,
    Email: mail.to,
    From: mail.from,
    BouncedAt: at,
    DumpAvailable: true,
    Inactive: Type === 'HardBounce',
    CanActivate: true,
    Subject: mail.subject,
  });
  const reader = {
    ...base,
    Recipient: mail.to,
    ReceivedAt: at,
    Platform: 'Desktop',
    UserAgent: 'Mozilla/5.0 (sandbox)',
  };
  switch (fact) {
    case 'accepted':
      return undefined; // no webhook says so
    case 'deferred':
      return bounce('Transient', 2, 'Message delayed', 'smtp;451 4.4.1 No answer from the host');
    case 'delivered':
      return {
        RecordType: 'Delivery',
        ...base,
        Recipient: mail.to,
        DeliveredAt: at,
        Details: 'smtp;250 2.0.0 OK queued',
      };
    case 'hard_bounce':
      return bounce('HardBounce', 1, 'Hard bounce', 'smtp;550 5.1.1 no such mailbox');
    case 'soft_bounce':
      return bounce('SoftBounce', 4096, 'Soft bounce', 'smtp;552 5.2.2 mailbox full');
    case 'suppressed':
      return bounce('ManuallyDeactivated', 100_002, 'Manually deactivated', '');
    case 'refused':
      return bounce('Blocked', 100_006, 'ISP block', 'smtp;554 5.7.1 refused for its content');
    case 'complained':
      return {
        ...bounce('SpamComplaint', 100_001, 'Spam complaint', ''),
        RecordType: 'SpamComplaint',
      };
    case 'unsubscribed':
      return {
        ...{ RecordType: 'SubscriptionChange', ...base, Recipient: mail.to, ChangedAt: at },
        ...{ Origin: 'Recipient', SuppressSending: true, SuppressionReason: 'ManualSuppression' },
      };
    case 'opened':
      return { RecordType: 'Open', ...reader, FirstOpen: true };
    case 'clicked':
      return {
        RecordType: 'Click',
        ...reader,
        ClickLocation: 'HTML',
        OriginalLink: 'https://shop.example.com/',
      };
  }
}
