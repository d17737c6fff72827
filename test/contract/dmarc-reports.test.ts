// Aggregate reports through a whole server: mailed to the address in the recommended DMARC record,
// shown at the sender domain, each once, and only about that domain.

import { gzipSync } from 'node:zlib';
import nodemailer from 'nodemailer';
import t from 'tap';
import { reportXml } from '../support/dmarc-report.ts';
import { client } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, server, refuses } = await chapter(t);

/** A restart opens the listener at another port. */
async function openTransport() {
  const returns = await client(server.sandboxUrl).must('GET /control/email/returns');
  return nodemailer.createTransport({ host: '127.0.0.1', port: returns.bouncePort });
}

let transport = await openTransport();
t.teardown(() => transport.close());

const todayMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const mailTo = (to: string, xml: string) =>
  transport.sendMail({
    from: 'noreply-dmarc-support@google.com',
    to,
    subject: 'Report domain: news.example',
    attachments: [
      { filename: 'r.xml.gz', contentType: 'application/gzip', content: gzipSync(xml) },
    ],
  });
const read = (domain = 'news.example', more = '') =>
  api.must(`GET ${base}/email-domains/${domain}/dmarc-reports${more}`);

const rows = [
  { ip: '203.0.113.5', count: 90 },
  { ip: '198.51.100.7', count: 10, dkim: 'fail', spf: 'fail', disposition: 'reject' },
] as const;
const news = { domain: 'news.example', beginMs: todayMs, rows };
let to = '';

t.test('the recommended DMARC record asks for reports to an address of this domain', async (t) => {
  const domain = await api.must(`POST ${base}/email-domains`, { domain: 'news.example' });
  to = domain.dmarcReports;
  t.match(to, /^dmarc\+[0-9a-z]{36}\.[0-9a-z]{16}@bounces\.sandbox\.example$/);
  const record = domain.records.find(({ purpose }: { purpose: string }) => purpose === 'dmarc');
  t.equal(record.value, `v=DMARC1; p=none; rua=mailto:${to}`);
  const other = await api.must(`POST ${base}/email-domains`, { domain: 'other.example' });
  t.not(other.dmarcReports, to);
  t.match(await read(), { total: { messages: 0 }, sources: [], reporters: [] });
});

t.test('a report counts once, also after a restart', async (t) => {
  await mailTo(to, reportXml(news));
  await mailTo(to, reportXml(news));
  await mailTo(to, reportXml({ ...news, org: 'Yahoo', id: '2', rows: [rows[0]] }));
  const seen = await read();
  t.match(seen, {
    total: { messages: 190, passed: 180, rejected: 10, quarantined: 0 },
    reporters: [
      { org: 'google.com', reports: 1, messages: 100 },
      { org: 'Yahoo', reports: 1, messages: 90 },
    ],
    sources: [
      { ip: '203.0.113.5', messages: 180, spfAligned: true, disposition: 'none' },
      { ip: '198.51.100.7', messages: 10, dkimAligned: false, disposition: 'reject' },
    ],
  });
  t.equal(seen.days.length, 30);
  t.equal(seen.days.at(-1).messages, 190);
  transport.close();
  await server.restart();
  transport = await openTransport();
  t.same(await read(), seen);
});

t.test('reports about another domain or time, and mails without one, change nothing', async (t) => {
  const before = await read();
  const dayMs = 86_400_000;
  await mailTo(to, reportXml({ ...news, id: '3', domain: 'other.example' }));
  await mailTo(to, reportXml({ ...news, id: '4', beginMs: todayMs - 91 * dayMs }));
  await mailTo(to, reportXml({ ...news, id: '5', beginMs: todayMs + 2 * dayMs }));
  await mailTo(to, 'not a report');
  t.same(await read(), before);
  t.match(await read('other.example'), { total: { messages: 0 } });
  const forged = to.replace(/\.[0-9a-z]{16}@/, `.${'0'.repeat(16)}@`);
  await t.rejects(mailTo(forged, reportXml(news)), /550/);
});

t.test('a stranger who mails reports all day ends at a bound', async (t) => {
  const hour = new Array(210).fill(0);
  for (const [i] of hour.entries())
    await mailTo(to, reportXml({ ...news, id: `f${i}`, org: `o${i}` }));
  const { reporters, total } = await read();
  t.equal(total.messages, 190 + 198 * 100);
  t.ok(reporters.length <= 51);
});

t.test(
  'a domain that is gone has no reports, and a mail about it is taken and dropped',
  async (t) => {
    await api.must(`DELETE ${base}/email-domains/news.example`);
    await mailTo(to, reportXml({ ...news, id: '9' }));
    await refuses(t, `GET ${base}/email-domains/news.example/dmarc-reports`, undefined, {
      status: 404,
    });
  },
);
