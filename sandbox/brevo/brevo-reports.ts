// What Brevo posts to a transactional webhook: one event a call, with a bearer token.

import type { Fact } from '../relay/relay-faults.ts';
import type { ReportSpeech, TakenMail } from '../relay/relay-reports.ts';

const tokenDefault = 'sandbox-brevo-events';
export const customName = 'X-Mailin-custom';

export const brevoSpeech: ReportSpeech = {
  service: 'brevo',
  about: 'and the secret that is the token of the webhook.',
  config: (hook) => ({ eventsToken: hook?.secret ?? tokenDefault }),
  report(hook, mail, fact, nowMs, isForged) {
    const token = `${hook.secret ?? tokenDefault}${isForged ? '-not' : ''}`;
    return {
      url: hook.url,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(eventOf(mail, fact, nowMs)),
    };
  },
};

function eventOf(mail: TakenMail, fact: Fact, nowMs: number): object {
  const { [customName]: custom, ...tags } = mail.echoed;
  const seconds = Math.floor(nowMs / 1000);
  const base = {
    email: mail.to,
    id: 17,
    date: new Date(nowMs + 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
    ts: seconds,
    ts_event: seconds,
    ts_epoch: nowMs,
    'message-id': mail.messageId,
    subject: mail.subject,
    sending_ip: '192.0.2.1',
    template_id: 0,
    tags: Object.keys(tags),
    ...(custom !== undefined && { [customName]: custom }),
  };
  switch (fact) {
    case 'accepted':
      return { event: 'request', ...base };
    case 'deferred':
      return { event: 'deferred', ...base, reason: '451 4.4.1 No answer from the host' };
    case 'delivered':
      return { event: 'delivered', ...base };
    case 'hard_bounce':
      return { event: 'hard_bounce', ...base, reason: '550 5.1.1 no such mailbox' };
    case 'soft_bounce':
      return { event: 'soft_bounce', ...base, reason: '552 5.2.2 mailbox full' };
    case 'suppressed':
      return { event: 'blocked', ...base, reason: 'blocked : due to blacklist user' };
    case 'refused':
      return { event: 'error', ...base, reason: '554 5.7.1 refused for its content' };
    case 'complained':
      return { event: 'spam', ...base };
    case 'unsubscribed':
      return { event: 'unsubscribed', ...base };
    case 'opened':
      return { event: 'opened', ...base, user_agent: 'Mozilla/5.0 (sandbox)' };
    case 'clicked':
      return {
        ...{ event: 'click', ...base, user_agent: 'Mozilla/5.0 (sandbox)' },
        link: 'https://shop.example.com/',
      };
  }
}
