import t from 'tap';
import { mailboxGroupOf } from '../../../../actors/channels/email/mailbox-groups.ts';

t.test('a public domain belongs to its provider, and any other to no known one', async (t) => {
  const rows = {
    gmail: ['gmail.com', 'googlemail.com'],
    microsoft: ['outlook.com', 'hotmail.co.uk', 'live.nl', 'msn.com', 'outlook.com.vn'],
    yahoo: ['yahoo.com', 'yahoo.com.vn', 'yahoo.co.id', 'ymail.com', 'aol.com'],
    apple: ['icloud.com', 'me.com', 'privaterelay.appleid.com'],
    proton: ['proton.me', 'pm.me'],
    zoho: ['zohomail.in'],
    qq: ['qq.com', 'foxmail.com'],
    netease: ['163.com', '126.com', 'yeah.net'],
    naver: ['naver.com'],
    others: [
      ...['example.com', 'yahoo.co.jp', 'yahoo', 'yahoo.example.com', 'gmail.com.example.org'],
      ...['live.example', 'hotmail.co.uk.evil.com', 'constructor', '', 'mail.qq.com'],
    ],
  };
  for (const [group, domains] of Object.entries(rows))
    for (const domain of domains) t.equal(mailboxGroupOf(domain), group, domain);
});
