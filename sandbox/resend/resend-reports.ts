// What Resend posts to a webhook: one event a call, signed by Standard Webhooks (svix).

import { createHmac } from 'node:crypto';
import type { Fact } from '../relay/relay-faults.ts';
import type { ReportSpeech, TakenMail } from '../relay/relay-reports.ts';

const secretDefault = `whsec_${Buffer.from('engage sandbox resend').toString('base64')}`;

export function resendSpeech(): ReportSpeech {
  let serial = 0;
  return {
    service: 'resend',
    about: 'and the signing secret, whsec_ and base64.',
    config: (hook) => ({ signingSecret: hook?.secret ?? secretDefault }),
    report(hook, mail, fact, nowMs, isForged) {
      const event = eventOf(mail, fact, new Date(nowMs).toISOString());
      if (event === undefined) return undefined;
      const id = `msg_${String(++serial).padStart(27, '0')}`;
      const time = String(Math.floor(nowMs / 1000));
      const body = JSON.stringify(event);
      const secret = hook.secret ?? secretDefault;
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signed = `${id}.${time}.${body}${isForged ? '.' : ''}`;
      return {
        url: hook.url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Svix-Webhooks/1.0 (sandbox)',
          'svix-id': id,
          'svix-timestamp': time,
          'svix-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
        },
        body,
      };
    },
  };
}

function eventOf(mail: TakenMail, fact: Fact, at: string): object | undefined {
  const base = {
    created_at: at,
    email_id: mail.messageId,
    message_id: `<${mail.messageId}@resend.sandbox>`,
    from: mail.from,
    to: [mail.to],
    subject: mail.subject,
    tags: mail.echoed,
  };
  const event = (type: string, more: object = {}) => ({
    type: `email.${type}`,
    created_at: at,
    data: { ...base, ...more },
  });
  const bounce = (type: string, subType: string, words: string) =>
    event('bounced', {
      bounce: { type, subType, message: 'The mail bounced.', diagnosticCode: [`smtp; ${words}`] },
    });
  const reader = { ipAddress: '192.0.2.1', timestamp: at, userAgent: 'Mozilla/5.0 (sandbox)' };
  switch (fact) {
    case 'accepted':
      return event('sent');
    case 'deferred':
      return event('delivery_delayed');
    case 'delivered':
      return event('delivered');
    case 'hard_bounce':
      return bounce('Permanent', 'NoEmail', '550 5.1.1 no such mailbox');
    case 'soft_bounce':
      return bounce('Transient', 'MailboxFull', '552 5.2.2 mailbox full');
    case 'suppressed':
      return event('suppressed', {
        suppressed: { type: 'OnAccountSuppressionList', message: 'The address is suppressed.' },
      });
    case 'refused':
      return bounce('Transient', 'ContentRejected', '554 5.7.1 refused for its content');
    case 'complained':
      return event('complained');
    case 'unsubscribed':
      return undefined; // its contacts have their own events, which name no mail
    case 'opened':
      return event('opened', { open: reader });
    case 'clicked':
      return event('clicked', { click: { ...reader, link: 'https://shop.example.com/' } });
  }
}
