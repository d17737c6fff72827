// Aggregate reports as receivers mail them, and as strangers might: packed, bare, forged to break
// the reader.

import { deflateRawSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { dmarcReportIn } from '../../../http/bounces/dmarc-mail.ts';
import { readDmarcXml } from '../../../http/bounces/dmarc-xml.ts';
import { unpackedReport } from '../../../http/bounces/unpack.ts';
import { reportMail, reportXml, zipOf } from '../../support/dmarc-report.ts';

const beginMs = Date.UTC(2026, 4, 1);
const rows = [
  { ip: '203.0.113.5', count: 1_180 },
  { ip: '198.51.100.7', count: 20, dkim: 'fail', spf: 'fail', disposition: 'reject' },
  { ip: '203.0.113.5', count: 3 },
] as const;
const xml = reportXml({ beginMs, rows });
const expected = {
  org: 'google.com',
  reportId: '1234567890',
  domain: 'acme.example',
  fromMs: beginMs,
  toMs: beginMs + 86_399_000,
  sources: [
    {
      ip: '203.0.113.5',
      headerFrom: 'acme.example',
      dkim: 'pass',
      spf: 'pass',
      dkimAligned: true,
      spfAligned: true,
      disposition: 'none',
      count: 1_183,
    },
    { ip: '198.51.100.7', dkim: 'fail', dkimAligned: false, disposition: 'reject', count: 20 },
  ],
};

t.test(
  'a report is read from gzip, ZIP and XML, attached or alone, by type or by name',
  async (t) => {
    const plain = Buffer.from(xml);
    const zip = zipOf('r.xml', deflateRawSync(plain), plain.length);
    const mails = [
      reportMail(gzipSync(plain), {
        type: 'application/gzip',
        name: 'google.com!acme.example.xml.gz',
      }),
      reportMail(gzipSync(plain), { type: 'application/octet-stream', name: 'r.bin' }),
      reportMail(zip, { type: 'application/zip', name: 'r.zip', attached: false }),
      reportMail(zip, { type: 'application/x-whatever', name: 'r.zip' }),
      reportMail(zipOf('r.xml', plain, plain.length, 0), {
        type: 'application/zip',
        name: 'r.zip',
      }),
      reportMail(plain, { type: 'text/xml', name: 'r.xml' }),
      Buffer.from(`Subject: r\nContent-Type: text/xml\nMIME-Version: 1.0\n\n${xml}`),
    ];
    for (const [i, mail] of mails.entries())
      t.match(await dmarcReportIn(mail), expected, `mail ${i}`);
  },
);

t.test('UTF-16 is read in either order, with a mark or without one', async (t) => {
  const wide = xml.replace('UTF-8', 'UTF-16');
  for (const mark of ['\ufeff', ''])
    for (const isBig of [false, true]) {
      const bytes = Buffer.from(mark + wide, 'utf16le');
      if (isBig) bytes.swap16();
      const what = `${isBig ? 'big' : 'little'} end first, ${mark === '' ? 'without' : 'with'} a mark`;
      const mail = reportMail(gzipSync(bytes), { type: 'application/gzip', name: 'r.xml.gz' });
      t.match(await dmarcReportIn(mail), expected, what);
    }
  const half = Buffer.from(`\ufeff${wide}`, 'utf16le').swap16().subarray(0, 501);
  const cut = reportMail(gzipSync(half), { type: 'application/gzip', name: 'r.xml.gz' });
  t.equal(await dmarcReportIn(cut), undefined, 'cut off within a sign');
});

t.test('what is no report is none', async (t) => {
  const mails = [
    '',
    'Subject: hi\r\n\r\nHello',
    reportMail(Buffer.from('<html/>'), { type: 'text/xml', name: 'r.xml' }),
    reportMail(gzipSync('not xml'), { type: 'application/gzip', name: 'r.gz' }),
    reportMail(gzipSync(xml).subarray(0, 200), { type: 'application/gzip', name: 'r.gz' }),
    reportMail(Buffer.from('PK\u0003\u0004'), { type: 'application/zip', name: 'r.zip' }),
    reportMail(Buffer.from(xml), { type: 'image/png', name: 'r.png' }),
  ];
  for (const [i, mail] of mails.entries())
    t.equal(await dmarcReportIn(Buffer.from(mail)), undefined, `mail ${i}`);
});

t.test('neither a document type nor an entity of its own is read', async (t) => {
  const bomb = `<!DOCTYPE feedback [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>`;
  const file = `<!DOCTYPE feedback [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
  for (const type of [bomb, file])
    t.equal(await readDmarcXml(xml.replace('<feedback>', `${type}<feedback>`)), undefined);
  t.equal(await readDmarcXml(xml.replace('google.com', '&x;')), undefined);
  t.match(await readDmarcXml(xml.replace('google.com', 'A&amp;B')), { org: 'A&B' });
});

t.test('bombs end at a bound, whatever their head says', async (t) => {
  const large = Buffer.alloc(40 * 1_024 * 1_024, 0x20);
  t.equal(await unpackedReport(gzipSync(large)), undefined);
  t.equal(await unpackedReport(zipOf('r.xml', deflateRawSync(large), 100)), undefined);
  const deep = `<feedback>${'<a>'.repeat(100_000)}`;
  t.equal(await readDmarcXml(deep), undefined);
  t.equal(await readDmarcXml(`<feedback><x>${'y'.repeat(3_000_000)}</x></feedback>`), undefined);
  const parts = 'x\r\n--b1\r\n\r\n'.repeat(10_000);
  const mail = `Content-Type: multipart/mixed; boundary="b1"\r\n\r\n${parts}`;
  t.equal(await dmarcReportIn(Buffer.from(mail)), undefined);
});

t.test(
  'what has far more tags, attributes or text than a report is left in the middle',
  async (t) => {
    const of = (padding: string) =>
      readDmarcXml(xml.replace('<policy_published>', `${padding}<policy_published>`));
    t.match(await of('<extension><a/></extension>'), expected);
    t.equal(await of('<a/>'.repeat(700_000)), undefined);
    const attributes = Array.from({ length: 50_000 }, (_, i) => ` a${i}=""`);
    t.equal(await of(`<a${attributes.join('')}/>`), undefined);
    t.equal(await of(`<a>${'y &amp; '.repeat(9_000)}</a>`), undefined);
  },
);

t.test('a report of more mails than anybody sends in a day is none', async (t) => {
  const of = (counts: readonly number[]) =>
    readDmarcXml(
      reportXml({ beginMs, rows: counts.map((count) => ({ ip: '203.0.113.5', count })) }),
    );
  t.match(await of([400_000_000, 600_000_000]), { sources: [{ count: 1_000_000_000 }] });
  t.equal(await of([400_000_000, 600_000_001]), undefined);
});

t.test('ten thousand records keep the largest sources and the whole sum', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({
    ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    count: i + 1,
    ...(i % 2 === 0 ? {} : { dkim: 'fail' as const, spf: 'fail' as const }),
  }));
  const report = await readDmarcXml(reportXml({ beginMs, rows: many }));
  t.equal(report?.sources.length, 54);
  t.match(report?.sources[0], { ip: '10.0.39.15', count: 10_000 });
  t.equal(
    report?.sources.reduce((sum, { count }) => sum + count, 0),
    (10_000 * 10_001) / 2,
  );
  t.equal(
    report?.sources.reduce((sum, one) => sum + (one.dkimAligned ? one.count : 0), 0),
    5_000 * 5_000,
  );
});

t.test('wrong values say nothing', async (t) => {
  const of = (change: (xml: string) => string) => readDmarcXml(change(xml));
  const nowhere = await of((one) => one.replace('203.0.113.5', 'not an address'));
  t.match(
    nowhere?.sources.find(({ ip }) => ip === null),
    { count: 1_180, headerFrom: null },
  );
  for (const count of ['-5', '1e99', 'NaN', '0.5', '', '99999999999999'])
    t.equal(
      (await of((one) => one.replace('<count>1180<', `<count>${count}<`)))?.sources
        .filter(({ ip }) => ip === '203.0.113.5')
        .reduce((sum, one) => sum + one.count, 0),
      3,
      count,
    );
  t.equal(await of((one) => one.replace(/<begin>\d+/, '<begin>x')), undefined);
  t.equal(await of((one) => one.replace(/<end>\d+/, '<end>99999999999')), undefined);
  t.equal(
    await of((one) => one.replace(/<domain>acme.example<\/domain><adkim>/, '<adkim>')),
    undefined,
  );
});
