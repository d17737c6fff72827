// SendGrid's signed event webhook: a list of events, ECDSA over time and body.

import { sign } from 'node:crypto';
import type { Fact } from '../relay/relay-faults.ts';
import type { ReportSpeech, TakenMail } from '../relay/relay-reports.ts';
import { eventKey } from './event-key.ts';

export function sendGridSpeech(): ReportSpeech {
  let serial = 0;
  return {
    service: 'sendgrid',
    about: "signed with the key whose public half is the relay's `publicKey`.",
    config: () => ({ publicKey: eventKey.publicKey }),
    report(hook, mail, fact, nowMs, isForged) {
      const seconds = Math.floor(nowMs / 1000);
      const event = {
        email: mail.to,
        timestamp: seconds,
        'smtp-id': `<${mail.messageId}@geopod-ismtpd-sandbox>`,
        sg_event_id: `sandbox-${++serial}`,
        sg_message_id: `${mail.messageId}.sandbox-0`,
        ...mail.echoed,
        ...partOf(fact, mail),
      };
      const body = JSON.stringify([event]);
      const time = String(seconds);
      const signed = Buffer.from(`${isForged ? '0' : ''}${time}${body}`);
      return {
        url: hook.url,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'x-twilio-email-event-webhook-timestamp': time,
          'x-twilio-email-event-webhook-signature': sign('sha256', signed, {
            key: eventKey.privateKey,
            dsaEncoding: 'der',
          }).toString('base64'),
        },
        body,
      };
    },
  };
}

function partOf(fact: Fact, { to }: TakenMail): object {
  const reader = { useragent: 'Mozilla/5.0 (sandbox)', ip: '192.0.2.1' };
  switch (fact) {
    case 'accepted':
      return { event: 'processed', send_at: 0 };
    case 'deferred':
      return { event: 'deferred', response: '421 4.4.1 no answer', attempt: '1', tls: 0 };
    case 'delivered':
      return { event: 'delivered', response: '250 2.0.0 OK', tls: 1, ip: '192.0.2.1' };
    case 'hard_bounce':
      return {
        event: 'bounce',
        type: 'bounce',
        status: '5.1.1',
        reason: `550 5.1.1 <${to}>: user unknown`,
        bounce_classification: 'Invalid Address',
      };
    case 'soft_bounce':
      return {
        event: 'bounce',
        type: 'blocked',
        status: '5.2.2',
        reason: '552 5.2.2 mailbox full',
        bounce_classification: 'Mailbox Unavailable',
      };
    case 'suppressed':
      return { event: 'dropped', reason: 'Bounced Address', status: '5.0.0' };
    case 'refused':
      return { event: 'dropped', reason: 'Spam Content', status: '5.0.0' };
    case 'complained':
      return { event: 'spamreport' };
    case 'unsubscribed':
      return { event: 'unsubscribe' };
    case 'opened':
      return { event: 'open', sg_machine_open: false, ...reader };
    case 'clicked':
      return { event: 'click', url: 'https://shop.example.com/', ...reader };
  }
}
