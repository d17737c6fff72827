// Mailgun's webhooks: one event in a call, with time and token signed beside it.

import { createHmac } from 'node:crypto';
import type { Fact } from '../relay/relay-faults.ts';
import type { ReportSpeech, TakenMail } from '../relay/relay-reports.ts';

const keyDefault = 'sandbox-webhook-signing-key';

export function mailgunSpeech(): ReportSpeech {
  let serial = 0;
  return {
    service: 'mailgun',
    about: 'and the secret that signs them, the `signingKey` of the relay.',
    config: (hook) => ({ signingKey: hook?.secret ?? keyDefault }),
    report(hook, mail, fact, nowMs, isForged) {
      const timestamp = String(Math.floor(nowMs / 1000));
      const token = `sandbox${String(nowMs)}${String(++serial)}`.padEnd(50, '0');
      const key = isForged ? 'a key that is not the signing key' : (hook.secret ?? keyDefault);
      const signature = createHmac('sha256', key)
        .update(timestamp + token)
        .digest('hex');
      return {
        url: hook.url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          signature: { timestamp, token, signature },
          'event-data': {
            id: `sandbox-${serial}`,
            timestamp: nowMs / 1000,
            recipient: mail.to,
            'recipient-domain': mail.to.slice(mail.to.lastIndexOf('@') + 1),
            message: {
              headers: {
                to: mail.to,
                from: mail.from,
                subject: mail.subject,
                'message-id': mail.messageId,
              },
            },
            'user-variables': mail.echoed,
            ...partOf(fact, mail),
          },
        }),
      };
    },
  };
}

function partOf(fact: Fact, { to }: TakenMail): object {
  const reader = {
    ip: '192.0.2.1',
    'client-info': { 'client-type': 'browser', 'user-agent': 'Mozilla/5.0 (sandbox)' },
  };
  const status = (code: number, enhanced: string, message: string, attempt = 1) => ({
    'delivery-status': {
      'attempt-no': attempt,
      code,
      ...(enhanced !== '' && { 'enhanced-code': enhanced }),
      message,
      description: '',
      'session-seconds': 0.5,
      tls: true,
    },
  });
  const failed = (severity: string, reason: string) => ({ event: 'failed', severity, reason });
  switch (fact) {
    case 'accepted':
      return { event: 'accepted', method: 'HTTP' };
    case 'deferred':
      return { ...failed('temporary', 'generic'), ...status(421, '4.4.1', 'no answer') };
    case 'delivered':
      return { event: 'delivered', ...status(250, '', 'OK') };
    case 'hard_bounce':
      return {
        ...failed('permanent', 'bounce'),
        ...status(550, '5.1.1', `<${to}>: user unknown`),
      };
    case 'soft_bounce':
      return { ...failed('permanent', 'old'), ...status(452, '4.2.2', 'mailbox full', 8) };
    case 'suppressed':
      return {
        ...failed('permanent', 'suppress-bounce'),
        ...status(605, '', 'Not delivering to previously bounced address'),
      };
    case 'refused':
      return { event: 'rejected', reject: { reason: 'Sandbox content' } };
    case 'complained':
      return { event: 'complained' };
    case 'unsubscribed':
      return { event: 'unsubscribed', ...reader };
    case 'opened':
      return { event: 'opened', ...reader };
    case 'clicked':
      return { event: 'clicked', url: 'https://shop.example.com/', ...reader };
  }
}
