// What Amazon SES reports through a topic of Amazon SNS: the event, wrapped and signed by SNS. Half
// of the messages are signed by version 1, as old topics do.

import { sign } from 'node:crypto';
import type { Post } from '../callbacks.ts';
import type { Fact } from '../relay/relay-faults.ts';
import type { Hook, ReportSpeech, TakenMail } from '../relay/relay-reports.ts';
import { snsCertificate } from './sns-certificate.ts';

const topicDefault = 'arn:aws:sns:us-east-1:000000000000:engage-sandbox';
export const certificatePath = '/SimpleNotificationService-sandbox.pem';

/** Tokens of subscriptions that were confirmed. `isConfirmed` is asked for each introduction. */
export function sesSpeech(isConfirmed: (token: string) => boolean): ReportSpeech {
  let serial = 0;
  const wrap = (hook: Hook, fields: Readonly<Record<string, string>>, isForged: boolean): Post => {
    const topicArn = hook.topicArn ?? topicDefault;
    const host = `https://sns.${topicArn.split(':')[3]}.amazonaws.com`;
    const version = ++serial % 2 === 0 ? '1' : '2';
    const message: Record<string, string> = {
      MessageId: `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`,
      TopicArn: topicArn,
      SignatureVersion: version,
      SigningCertURL: `${host}${certificatePath}`,
      ...fields,
    };
    const names = Object.keys(message)
      .filter((name) => !name.startsWith('Sign') && !name.startsWith('Unsub'))
      .sort();
    const text = names.map((name) => `${name}\n${message[name]}\n`).join('');
    const hash = version === '1' ? 'sha1' : 'sha256';
    const signature = sign(hash, Buffer.from(isForged ? `${text}.` : text), snsCertificate.key);
    message['Signature'] = signature.toString('base64');
    return {
      url: hook.url,
      headers: {
        'content-type': 'text/plain; charset=UTF-8',
        'x-amz-sns-message-type': message['Type'] ?? '',
        'x-amz-sns-topic-arn': topicArn,
      },
      body: JSON.stringify(message),
    };
  };
  return {
    service: 'ses',
    about: 'and of which topicArn; the address must confirm its subscription first.',
    config: (hook) => ({ topicArn: hook?.topicArn ?? topicDefault }),
    async introduce(hook, post) {
      const Token = `token-${++serial}`;
      const TopicArn = hook.topicArn ?? topicDefault;
      const host = `https://sns.${TopicArn.split(':')[3]}.amazonaws.com`;
      const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn, Token });
      const fields = {
        Type: 'SubscriptionConfirmation',
        Message: `You have chosen to subscribe to the topic ${TopicArn}.`,
        SubscribeURL: `${host}/?${query.toString()}`,
        Timestamp: new Date().toISOString(),
        Token,
      };
      await post(wrap(hook, fields, false));
      return isConfirmed(Token);
    },
    report(hook, mail, fact, nowMs, isForged) {
      const Timestamp = new Date(nowMs).toISOString();
      const Message = JSON.stringify(eventOf(mail, fact, Timestamp));
      const Subject = 'Amazon SES Email Event Notification';
      return wrap(hook, { Type: 'Notification', Message, Subject, Timestamp }, isForged);
    },
  };
}

function eventOf(mail: TakenMail, fact: Fact, timestamp: string): object {
  const tags = Object.fromEntries(Object.entries(mail.echoed).map(([name, one]) => [name, [one]]));
  const about = {
    timestamp,
    source: mail.from,
    sourceArn: 'arn:aws:ses:us-east-1:000000000000:identity/sandbox',
    sendingAccountId: '000000000000',
    messageId: mail.messageId,
    destination: [mail.to],
    headersTruncated: false,
    commonHeaders: { from: [mail.from], to: [mail.to], subject: mail.subject },
    tags: { 'ses:configuration-set': ['sandbox'], ...tags },
  };
  return { ...partOf(mail.to, fact, timestamp), mail: about };
}

function bounce(to: string, timestamp: string, type: string, subtype: string, words: string) {
  const status = words.split(' ')[1] ?? '5.0.0';
  return {
    eventType: 'Bounce',
    bounce: {
      bounceType: type,
      bounceSubType: subtype,
      bouncedRecipients: [
        { emailAddress: to, action: 'failed', status, diagnosticCode: `smtp; ${words}` },
      ],
      timestamp,
      feedbackId: '0100-sandbox',
      reportingMTA: 'dns; a8-1.smtp-out.amazonses.com',
    },
  };
}

function partOf(to: string, fact: Fact, timestamp: string): object {
  const reader = { ipAddress: '192.0.2.1', timestamp, userAgent: 'Mozilla/5.0 (sandbox)' };
  switch (fact) {
    case 'accepted':
      return { eventType: 'Send', send: {} };
    case 'deferred':
      return {
        eventType: 'DeliveryDelay',
        deliveryDelay: {
          timestamp,
          delayType: 'TransientCommunicationFailure',
          expirationTime: timestamp,
          delayedRecipients: [
            { emailAddress: to, status: '4.4.1', diagnosticCode: 'smtp; 421 4.4.1 no answer' },
          ],
        },
      };
    case 'delivered':
      return {
        eventType: 'Delivery',
        delivery: {
          timestamp,
          processingTimeMillis: 500,
          recipients: [to],
          smtpResponse: '250 2.6.0 Message received',
          reportingMTA: 'a8-1.smtp-out.amazonses.com',
        },
      };
    case 'hard_bounce':
      return bounce(to, timestamp, 'Permanent', 'NoEmail', '550 5.1.1 user unknown');
    case 'soft_bounce':
      return bounce(to, timestamp, 'Transient', 'MailboxFull', '552 5.2.2 mailbox full');
    case 'suppressed':
      return bounce(to, timestamp, 'Permanent', 'OnAccountSuppressionList', '550 5.1.1 not sent');
    case 'refused':
      return { eventType: 'Reject', reject: { reason: 'Bad content' } };
    case 'complained':
      return {
        eventType: 'Complaint',
        complaint: {
          complainedRecipients: [{ emailAddress: to }],
          timestamp,
          feedbackId: '0100-sandbox',
          complaintFeedbackType: 'abuse',
          userAgent: 'Engage-Sandbox/1',
        },
      };
    case 'unsubscribed':
      return {
        eventType: 'Subscription',
        subscription: {
          contactList: 'sandbox',
          timestamp,
          source: 'UnsubscribeHeader',
          newTopicPreferences: { unsubscribeAll: true, topicSubscriptionStatus: [] },
          oldTopicPreferences: { unsubscribeAll: false, topicSubscriptionStatus: [] },
        },
      };
    case 'opened':
      return { eventType: 'Open', open: reader };
    case 'clicked':
      return {
        eventType: 'Click',
        click: { ...reader, link: 'https://shop.example.com/', linkTags: null },
      };
  }
}
