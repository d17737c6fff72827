// Whose mailboxes a domain has, by the names of its mail exchangers: a company's own domain that a
// provider hosts. The names are from the providers' set-up pages for custom domains.

import { type MailboxGroup, mailboxGroupOf } from './mailbox-groups.ts';

const endings: readonly (readonly [ending: string, group: MailboxGroup])[] = [
  // support.google.com/a/answer/174125
  ['google.com', 'gmail'],
  ['googlemail.com', 'gmail'],
  // learn.microsoft.com/microsoft-365/enterprise/external-domain-name-system-records
  ['outlook.com', 'microsoft'],
  ['mx.microsoft', 'microsoft'],
  ['hotmail.com', 'microsoft'],
  // Yahoo Small Business, AOL and Verizon
  ['yahoodns.net', 'yahoo'],
  // support.apple.com/102374
  ['icloud.com', 'apple'],
  // proton.me/support/custom-domain
  ['protonmail.ch', 'proton'],
  ['proton.me', 'proton'],
  // zoho.com/mail/help/adminconsole/configure-email-delivery.html
  ...['com', 'eu', 'in', 'jp', 'sa', 'uk', 'ca', 'com.au', 'com.cn'].map(
    (ending) => [`zoho.${ending}`, 'zoho'] as const,
  ),
  ['zohomail.com', 'zoho'],
  ['zohocloud.ca', 'zoho'],
  // exmail.qq.com
  ['qq.com', 'qq'],
  // qiye.163.com
  ['netease.com', 'netease'],
  ['163.com', 'netease'],
  ['qiye163.com', 'netease'],
  ['126.com', 'netease'],
  // NAVER WORKS
  ['naver.com', 'naver'],
  ['worksmobile.com', 'naver'],
];

/** By the names of a domain's exchangers in any order and case; `others` if none is known. */
export function groupOfExchangers(exchangers: readonly string[]): MailboxGroup {
  for (const exchanger of exchangers) {
    const name = exchanger.toLowerCase().replace(/\.$/, '');
    const known = endings.find(([ending]) => name === ending || name.endsWith(`.${ending}`));
    if (known !== undefined) return known[1];
  }
  return 'others';
}

/** Names that nobody can register: RFC 2606, RFC 6761. */
const reserved = /(?:^|\.)(?:test|example|invalid|localhost|local|example\.(?:com|net|org))$/;

/** Whether only a domain's exchangers can tell whose mailboxes it has. */
export function needsExchangers(domain: string): boolean {
  return mailboxGroupOf(domain) === 'others' && domain !== 'yahoo.co.jp' && !reserved.test(domain);
}
