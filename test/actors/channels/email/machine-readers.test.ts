// What programs that read mails call themselves, and whether a person is behind it.

import t from 'tap';
import { isMachineReader } from '../../../../actors/channels/email/machine-readers.ts';
import { groupOfExchangers } from '../../../../actors/channels/email/mail-exchangers.ts';

const machines = [
  'Mozilla/5.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
  'Barracuda Sentinel (EE)',
  'Mozilla/5.0 (compatible; Proofpoint URL Defense)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'python-requests/2.26.0',
  'Python/3.9 aiohttp/3.8.1',
  'curl/8.5.0',
  'Go-http-client/2.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
];

const people = [
  '',
  'Mail/1.0',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; ms-office; MSOffice 16)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.7.0',
  'Mozilla/5.0 (Linux; Android 13; CUBOT X70) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0',
];

t.test(
  'programs that prefetch and scan are machines, mail programs and their proxies are not',
  async (t) => {
    for (const agent of machines) t.ok(isMachineReader(agent), agent);
    for (const agent of people) t.notOk(isMachineReader(agent), agent);
  },
);

t.test('a stranger who writes a long name costs no time', async (t) => {
  t.notOk(isMachineReader('x'.repeat(1_000_000)));
  t.notOk(isMachineReader('link-'.repeat(200_000)));
});

t.test('a hosted domain belongs to the provider of its mail exchangers', async (t) => {
  const rows = [
    ['gmail', ['smtp.google.com']],
    ['gmail', ['10.mx.acme.io', 'aspmx3.googlemail.com']],
    ['microsoft', ['acme-io.mail.protection.outlook.com']],
    ['microsoft', ['acme-io.x-v1.mx.microsoft']],
    ['yahoo', ['mta7.am0.yahoodns.net']],
    ['apple', ['mx02.mail.icloud.com.']],
    ['proton', ['mailsec.protonmail.ch']],
    ['zoho', ['mx2.zoho.eu']],
    ['qq', ['mxbiz1.qq.com']],
    ['netease', ['qiye163mx01.mxmail.netease.com']],
    ['naver', ['mx1.naver.com']],
    ['others', ['mx.notgoogle.com', 'google.com.evil.example']],
    ['others', []],
  ] as const;
  for (const [group, exchangers] of rows) t.equal(groupOfExchangers(exchangers), group);
});
