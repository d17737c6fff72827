// Messages to start from: one for each usual purpose, in words that can be sent as they are once
// the names and links are one's own. `{{ … | default: … }}` keeps them right for people without a
// tag.

import type { Channel } from '../../api/generated.ts';
import type { MessageBody } from './draft.ts';
import { newsletterMail, receiptMail, welcomeMail } from './starter-mails.ts';

export interface Starter {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Shown first in the preview. */
  readonly channel: string;
  readonly message: MessageBody;
}

const push: readonly Channel[] = ['fcm', 'apns', 'webpush'];
const there = "{{ first_name | default: 'there' }}";

export const starters: readonly Starter[] = [
  {
    id: 'welcome-push',
    title: 'Welcome, as a push',
    about: 'The first message after signing up.',
    channel: 'fcm',
    message: {
      name: 'Welcome push',
      writtenFor: push,
      title: `Welcome, ${there}`,
      body: 'Your account is ready. Take the one-minute tour and set things up your way.',
      deepLink: 'https://example.com/start',
      buttons: [{ id: 'tour', label: 'Take the tour' }],
    },
  },
  {
    id: 'welcome-email',
    title: 'Welcome, as an email',
    about: 'A banner, three first steps and a way to ask questions.',
    channel: 'email',
    message: {
      name: 'Welcome email',
      writtenFor: ['email'],
      title: `Welcome to {{ app.name }}, ${there}`,
      design: { ...welcomeMail },
    },
  },
  {
    id: 'code-sms',
    title: 'Sign-in code by SMS',
    about: 'Fits in one SMS. Your API call passes the code.',
    channel: 'sms',
    message: {
      name: 'Sign-in code',
      writtenFor: ['sms'],
      body: '{{ code }} is your {{ app.name }} code. It works for 10 minutes. Never share it.',
      ttlSeconds: 600,
      priority: 'high',
    },
  },
  {
    id: 'order-whatsapp',
    title: 'Order update on WhatsApp',
    about: 'Uses an approved template, so you can send it at any time.',
    channel: 'whatsapp',
    message: {
      name: 'Order update',
      writtenFor: ['whatsapp'],
      body: `Hello ${there}, your order {{ order_id }} is on its way.`,
      payload: {
        whatsapp: {
          templateName: 'order_update',
          languageCode: 'en_US',
          bodyParams: [there, '{{ order_id }}'],
        },
      },
    },
  },
  {
    id: 'basket-push',
    title: 'Abandoned cart',
    about: 'A reminder with two buttons and a way back.',
    channel: 'apns',
    message: {
      name: 'Cart reminder',
      writtenFor: push,
      title: 'Still thinking it over?',
      body: "{{ product | default: 'What you chose' }} is waiting in your cart.",
      deepLink: 'https://example.com/basket',
      collapseKey: 'basket',
      buttons: [
        { id: 'basket', label: 'Open cart' },
        { id: 'later', label: 'Not now' },
      ],
    },
  },
  {
    id: 'receipt-email',
    title: 'Receipt',
    about: 'For transactional sends. No unsubscribe link.',
    channel: 'email',
    message: {
      name: 'Receipt',
      writtenFor: ['email'],
      title: 'Your receipt {{ receipt_id }}',
      design: { ...receiptMail },
      unsubscribe: 'none',
    },
  },
  {
    id: 'newsletter-email',
    title: 'Newsletter',
    about: 'One lead story and two short ones side by side.',
    channel: 'email',
    message: {
      name: 'Newsletter',
      writtenFor: ['email'],
      title: 'What is new this month',
      design: { ...newsletterMail },
      unsubscribe: 'both',
    },
  },
  {
    id: 'win-back-push',
    title: 'Win back',
    about: 'For people who have been away for a while.',
    channel: 'fcm',
    message: {
      name: 'Win back',
      writtenFor: push,
      title: `We saved your place, ${there}`,
      body: 'A lot is new since your last visit. See it in a minute.',
      deepLink: 'https://example.com/new',
      localizations: {
        de: {
          title: "Ihr Platz ist noch da, {{ first_name | default: 'hallo' }}",
          body: 'Seit Ihrem letzten Besuch ist viel Neues da. In einer Minute gesehen.',
        },
      },
    },
  },
  {
    id: 'appointment-voice',
    title: 'Appointment reminder',
    about: 'Works as a voice call and as an SMS.',
    channel: 'voice',
    message: {
      name: 'Appointment reminder',
      writtenFor: ['voice'],
      body: `Hello ${there}. This is a reminder of your appointment on {{ date }} at {{ time }}. Call us if you cannot come.`,
      payload: { voice: { language: 'en-GB' } },
    },
  },
  {
    id: 'sale-telegram',
    title: 'Offer for chat apps',
    about: 'Two lines and a button for Telegram, LINE, Viber and RCS.',
    channel: 'telegram',
    message: {
      name: 'Weekend offer',
      writtenFor: ['telegram', 'rcs', 'line', 'viber'],
      title: 'Weekend offer',
      body: '20% off everything until Sunday night. The discount is applied in your cart.',
      deepLink: 'https://example.com/sale',
      buttons: [{ id: 'shop', label: 'Shop now', url: 'https://example.com/sale' }],
    },
  },
];
