// The words of Channels.

import type { Channel, EmailDomain, ChannelState as Standing } from '../../api/generated.ts';
import { channelLabels } from '../../words/channels.ts';
import { type PluralForms, plural } from '../../words/plural.ts';
import type { ChannelState } from './state.ts';

const sends: PluralForms = { one: '{n} send', other: '{n} sends' };

export const words = {
  title: 'Channels',
  intro: 'How messages leave this app. Each channel needs an account at its provider.',
  channels: {
    fcm: { name: channelLabels.fcm, by: 'Firebase Cloud Messaging' },
    apns: { name: channelLabels.apns, by: 'Apple Push Notification service' },
    webpush: { name: channelLabels.webpush, by: 'The push services of browsers' },
    email: { name: channelLabels.email, by: 'The server’s mail relay' },
    sms: { name: channelLabels.sms, by: 'Twilio' },
    voice: { name: channelLabels.voice, by: 'Twilio' },
    whatsapp: { name: channelLabels.whatsapp, by: 'Meta Cloud API' },
    telegram: { name: channelLabels.telegram, by: 'Telegram Bot API' },
    rcs: { name: channelLabels.rcs, by: 'Google RCS Business Messaging' },
    line: { name: channelLabels.line, by: 'LINE Messaging API' },
    zalo: { name: channelLabels.zalo, by: 'Zalo Official Account API' },
    viber: { name: channelLabels.viber, by: 'Viber Bot API' },
    kakao: { name: channelLabels.kakao, by: 'Solapi' },
  } satisfies Record<Channel, { readonly name: string; readonly by: string }>,
  states: {
    ready: 'Ready',
    sandbox: 'Sandbox',
    missing: 'Not set up',
    failing: 'Failing',
    refused: 'Refused',
    unreachable: 'Unreachable',
    slowed: 'Slowed down',
    unknown: 'Visible to owners',
  } satisfies Record<ChannelState, string>,
  standings: {
    refused:
      'The provider rejects this account. Sends wait while one message at a time is retried. Check the credential, and replace it if it is no longer valid.',
    unreachable:
      'The provider does not respond. Sends wait and resume when it responds again. You do not need to do anything.',
    paused:
      'Sends are paused. Engage retries one message at a time and resumes when one is accepted. You do not need to do anything.',
    slowed:
      'Some domains asked for fewer messages. Messages to them wait until they accept mail again; all others are sent.',
    degraded:
      'Part of the provider does not accept messages, such as the push service of one browser. Sends to that part wait.',
  } satisfies Record<Exclude<Standing['state'], 'ok'>, string>,
  slowedBy: (who: string) => `Slowed down by ${who}`,
  relay: 'the relay',
  provider: 'the provider',
  moreDomains: (n: number) =>
    plural(n, { one: 'Also by {n} more domain.', other: 'Also by {n} more domains.' }),
  lastFailure: (failure: string) => `Last failure: ${failure}.`,
  nextTry: 'Next attempt:',
  sandboxNote:
    'Sandbox: every channel sends to the inbox, with or without a credential. Credentials are checked and stored, but no provider is called.',
  delivered: (n: number) => `${plural(n, sends)} in 7 days`,
  noSends: 'No sends in 7 days',
  failed: (n: number) => `${plural(n, sends)} failed`,
  setUp: 'Set up',
  open: 'Open',
  health: {
    title: 'Last 7 days',
    intro: 'Results of sends on this channel, per device.',
    delivered: 'Delivered',
    bounced: 'Bounced',
    suppressed: 'Not sent',
    failed: 'Failed',
    none: 'Nothing was sent on this channel in the last 7 days.',
    reasons: 'Why sends failed',
    recovered: (n: number) => `${plural(n, sends)} recovered later`,
    open: 'View failures and redrive them',
  },
  credential: {
    title: 'Credential',
    stored: 'Stored',
    changed: 'Changed',
    version: 'Version',
    versionHint: 'Identifies the upload. It is not a secret.',
    never: 'Stored encrypted, and never shown again. To change one value, enter all of them.',
    replace: 'Replace credential',
    save: 'Save credential',
    keep: 'Keep the stored credential',
    saved: 'The credential is stored.',
    shared: 'SMS and voice calls share one Twilio account.',
    where: 'Where to find the values',
    file: 'Choose file',
    paste: 'Or paste its text',
    badFile: 'This is not a JSON file. Choose the original download.',
    remove: 'Remove credential',
    removeTitle: (name: string) => `Remove the credential for ${name}?`,
    removeText:
      'Messages on this channel fail until another credential is stored. Messages already sent are not affected.',
    removed: 'The credential was removed.',
  },
  check: {
    now: 'Check now',
    hint: 'Checks the stored credential with the provider. Nothing is sent.',
    ok: (ms: number) => `The provider accepted the credential (${ms} ms).`,
    refused: (reason: string) => `The provider rejected the credential: ${reason}.`,
    cannot: (why: string) => `The credential could not be checked: ${why}.`,
  },
  callback: {
    title: 'Callback address',
    intro: 'The provider reports delivery, replies and opt-outs to this address.',
    sms: 'Enter it in Twilio as the webhook for incoming messages (HTTP POST) of your number or Messaging Service. Delivery reports need no setup.',
    whatsapp:
      'Enter it at Meta under WhatsApp → Configuration, with your verify token, and subscribe to “messages”.',
    rcs: 'Enter it in the Business Communications console under Integrations → Webhook.',
    line: 'Enter it in the LINE Developers console as webhook URL, and switch “Use webhook” on.',
    zalo: 'Enter it at Zalo for Developers under Webhook.',
    telegram: 'Engage registers it with Telegram when you save the credential.',
    viber: 'Engage registers it with Viber when you save the credential.',
    label: 'Address',
    registered: 'The address is registered with the provider.',
    notRegistered: (reason: string) =>
      `The provider rejected this address: ${reason}. Save the credential again to retry.`,
    local:
      'Providers cannot reach this address, because it points to your own machine or is not https. Open the dashboard at its public address and copy the callback address from there.',
  },
  sender: {
    title: 'Sender',
    intro: 'The sender of your emails.',
    from: 'From',
    replyTo: 'Reply to',
    none: 'No sender yet. Verify a domain below, then choose an address in it.',
    platform: 'the server’s own address for this app',
    edit: 'Change sender',
  },
  domains: {
    title: 'Sender domains',
    intro:
      'Mailbox providers want proof that you own the domain. Add it, create the records at your DNS provider, and verify.',
    add: 'Add domain',
    label: 'Domain',
    example: 'example.com',
    hint: 'Exactly the domain of the sender’s address. example.com does not include mail.example.com.',
    states: {
      pending: 'Not checked yet',
      verified: 'Verified',
      failed: 'Record not found',
    } satisfies Record<EmailDomain['state'], string>,
    vouched: 'The server’s operator allows this domain without proof.',
    purposes: {
      dkim: 'DKIM signs every email from this domain',
      dmarc: 'DMARC tells mailbox providers what to do with forged emails',
      links: 'Links in emails have this name instead of the server’s',
    },
    required: 'Required',
    advised: 'Recommended',
    status: {
      unchecked: 'Not checked',
      found: 'Found',
      missing: 'Missing',
      wrong: 'Wrong value',
      unanswered: 'DNS did not respond',
    },
    type: 'Type',
    name: 'Name',
    value: 'Value',
    found: 'Found instead',
    spf: (path: string) => `Emails use ${path} as the return path. You do not need an SPF record.`,
    ownSpf:
      'Receivers check SPF for this domain itself: its SPF record must include the server’s mail relay.',
    checked: 'Checked',
    verify: 'Verify now',
    verifying: 'Looking up the records. This takes up to ten seconds.',
    isVerified: (domain: string) => `${domain} is verified.`,
    isNot: (domain: string) =>
      `The records of ${domain} were not found yet. New records usually appear within minutes, and can take up to a day.`,
    remove: 'Remove domain',
    removeTitle: (domain: string) => `Remove ${domain}?`,
    removeText: 'You can no longer send email from its addresses.',
    removed: (domain: string) => `${domain} was removed.`,
  },
} as const;
