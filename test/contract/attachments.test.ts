// Files, copies, reply addresses and headers of one email, over HTTP and as a mail program reads
// them. A file that cannot be had is a 400 that names it, and nothing is sent.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually } from '../support/server.ts';
import { zipOf } from '../support/zip-of.ts';
import { chapter } from './chapter.ts';

const { api, base, org, server, takes, refuses } = await chapter(t);
const sandbox = client(server.sandboxUrl);
const line = `POST ${base}/notifications`;
const batchLine = `${line}/batch`;
await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'ada',
  devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
});
await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'phone',
  devices: [{ channel: 'sms', endpoint: '+14155550123' }],
});

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n');
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);
const invoice = { filename: 'Hóa đơn 🧾.pdf', content: pdf.toString('base64') };
const send = { externalUserId: 'ada', title: 'Your invoice', body: 'Hello' };

/** The mail of a send as its reader gets it. */
async function mailOf(id: string): Promise<ParsedMail> {
  const number = await eventually(async () => {
    const { messages } = await sandbox.must(`GET /control/messages?sendId=${id}`);
    type Call = { readonly id: number; readonly outcome: string };
    return messages.find(({ outcome }: Call) => outcome === 'accepted')?.id;
  }, `${id} does not arrive`);
  const { exchange } = await sandbox.must(`GET /control/messages/${number}`);
  return simpleParser(exchange.requestBody, { skipTextToHtml: true, skipImageLinks: true });
}

async function sent(t: Test, body: object, path = line): Promise<ParsedMail> {
  const { json } = await takes(t, path, { ...send, ...body }, 202);
  t.equal(json.warnings, undefined);
  return mailOf(json.id);
}

t.test('a mail has the files, the picture and the headers of its call', async (t) => {
  const csv = Buffer.from('a;b\n1;2\n');
  const mail = await sent(t, {
    body: '<p>Hello <img src="cid:logo" alt="Logo"></p>',
    attachments: [
      invoice,
      { filename: 'rows.csv', content: csv.toString('base64') },
      { filename: 'logo.png', content: png.toString('base64'), inline: { cid: 'logo' } },
    ],
    replyTo: 'billing@example.com',
    headers: { 'X-Order': 'A-1042 ✓' },
  });
  t.match(
    mail.attachments.map(({ filename, contentType, cid }) => ({ filename, contentType, cid })),
    [
      { filename: 'logo.png', contentType: 'image/png', cid: 'logo' },
      { filename: 'Hóa đơn 🧾.pdf', contentType: 'application/pdf' },
      { filename: 'rows.csv', contentType: 'text/csv' },
    ],
  );
  t.ok(mail.attachments[1]?.content.equals(pdf));
  t.equal(mail.replyTo?.text, 'billing@example.com');
  t.equal(mail.headers.get('x-order'), '=?UTF-8?Q?A-1042_=E2=9C=93?=');
  t.match(mail.html, /cid:logo/);
});

t.test('what cannot be sent is refused and named', async (t) => {
  const b64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
  const file = (more: object) => ({ attachments: [invoice, { ...invoice, ...more }] });
  const cases: [body: object, field: string, error?: RegExp][] = [
    [file({ content: undefined }), 'attachments[1]', /one of content, url and assetId/],
    [file({ url: 'https://example.com/a.pdf' }), 'attachments[1]'],
    [file({ filename: undefined }), 'attachments[1].filename'],
    [file({ filename: '{{ order }}.pdf' }), 'attachments[1].filename', /not rendered/],
    [file({ filename: '../a.pdf' }), 'attachments[1].filename', /path/],
    [file({ filename: 'a\r\nBcc: b@example.com' }), 'attachments[1].filename'],
    [file({ filename: 'a\nb.pdf' }), 'attachments[1].filename', /control/],
    [file({ filename: 'a.pdf\r' }), 'attachments[1].filename', /control/],
    [file({ filename: 'invoice\u202Efdp.exe' }), 'attachments[1].filename'],
    [file({ filename: 'invoice.pdf.exe' }), 'attachments[1].filename', /\.exe/],
    [file({ filename: 'invoice.EXE. ' }), 'attachments[1].filename', /\.exe/],
    [file({ filename: 'rows.xlsm' }), 'attachments[1].filename', /\.xlsm/],
    [file({ content: 'not base64!' }), 'attachments[1].content', /base64/],
    [file({ content: 'QUI==' }), 'attachments[1].content', /padding/],
    [file({ content: 'QUJD=' }), 'attachments[1].content', /padding/],
    [file({ content: 'QQ=' }), 'attachments[1].content', /padding/],
    [file({ content: 'QQ==QQ==' }), 'attachments[1].content', /base64/],
    [file({ content: 'QUJDR' }), 'attachments[1].content', /base64/],
    [file({ content: '' }), 'attachments[1].content', /empty/],
    [file({ content: ' \r\n' }), 'attachments[1].content', /empty/],
    [file({ content: b64('<!DOCTYPE html><html>') }), 'attachments[1].filename', /a HTML|HTML/],
    [file({ contentType: 'image/png' }), 'attachments[1].contentType', /PDF/],
    [file({ contentType: 'pdf' }), 'attachments[1].contentType'],
    [file({ contentType: 'message/rfc822' }), 'attachments[1].contentType'],
    [
      file({ filename: 'a.bin', content: b64('MZ\x90\0\x03\0\0\0') }),
      'attachments[1].content',
      /executable/,
    ],
    [file({ filename: 'run', content: b64('#!/bin/sh\nrm') }), 'attachments[1].content'],
    [
      file({ filename: 'a.zip', content: zipOf(['ok.txt', 'dir/setup.msi']).toString('base64') }),
      'attachments[1].content',
      /setup\.msi/,
    ],
    [
      file({
        filename: 'a.docx',
        content: zipOf(['[Content_Types].xml', 'word/vbaProject.bin']).toString('base64'),
      }),
      'attachments[1].content',
      /macros/,
    ],
    [file({ inline: { cid: 'a b' } }), 'attachments[1].inline.cid'],
    [file({ inline: { cid: 'a\r\nX: y' } }), 'attachments[1].inline.cid'],
    [file({ inline: { cid: '<a>' } }), 'attachments[1].inline.cid'],
    [
      {
        attachments: [1, 2].map((i) => ({
          filename: `${i}.png`,
          content: png.toString('base64'),
          inline: { cid: 'logo' },
        })),
      },
      'attachments[1].inline.cid',
      /another file has the same/,
    ],
    [file({ inline: { cid: 'a' } }), 'attachments[1].inline', /PNG/],
    [file({ assetId: 'ast_x', content: undefined }), 'attachments[1].assetId', /not found/],
    [{ attachments: Array(11).fill(invoice) }, 'attachments'],
    [{ cc: 'nobody' }, 'cc'],
    [{ cc: ['a@example.com', '{{ x }}'] }, 'cc[1]'],
    [
      {
        cc: Array.from({ length: 6 }, (_, i) => `a${i}@x.org`),
        bcc: Array.from({ length: 5 }, (_, i) => `b${i}@x.org`),
      },
      'cc',
      /at most 10/,
    ],
    [{ replyTo: 'a@example.com\r\nX: y' }, 'replyTo'],
    [{ headers: { Subject: 'x' } }, 'headers.Subject', /X-/],
    [{ headers: { 'X-SMTPAPI': '{}' } }, 'headers.X-SMTPAPI', /reserved/],
    [{ headers: { 'X-Engage-Send-Id': 'x' } }, 'headers.X-Engage-Send-Id', /reserved/],
    [{ headers: { 'X-A': 'b\r\nBcc: c@example.com' } }, 'headers.X-A', /control/],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a', /twice/],
    [{ attachments: [invoice], channels: ['sms'] }, 'attachments', /no email/],
    [{ attachments: [invoice], externalUserId: 'phone' }, 'attachments', /no email address/],
  ];
  const before = (await api.must(`GET ${base}/notifications`)).items.length;
  for (const [body, field, error] of cases) {
    const sentBody = { ...send, ...body };
    const refusal = { status: 400, code: 'invalid', field, ...(error && { error }) };
    await refuses(t, line, sentBody, refusal, JSON.stringify(body).slice(0, 200));
  }
  t.equal((await api.must(`GET ${base}/notifications`)).items.length, before);
});

t.test('files of an Office, and what looks odd but is right, are taken', async (t) => {
  // As mail programs and `base64` write it.
  const lines = ` ${pdf.toString('base64').replace(/.{8}/g, '$&\r\n')}\t`;
  const attachments = [
    {
      filename: 'rows.xlsx',
      content: zipOf(['[Content_Types].xml', 'xl/workbook.xml']).toString('base64'),
    },
    { filename: 'all.zip', content: zipOf(['a.pdf', 'b/c.png']).toString('base64') },
    { filename: 'noextension', content: pdf.toString('base64url') },
    {
      filename: 'event.ics',
      content: Buffer.from('BEGIN:VCALENDAR').toString('base64'),
      contentType: 'text/calendar; charset=utf-8',
    },
    { filename: 'lines.pdf', content: lines },
    { filename: 'data.bin', content: Buffer.from([0, 1, 2, 3]).toString('base64') },
  ];
  const mail = await sent(t, { attachments });
  t.same(
    mail.attachments.map(({ contentType }) => contentType),
    [
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/zip',
      'application/pdf',
      'text/calendar',
      'application/pdf',
      'application/octet-stream',
    ],
  );
  t.ok(mail.attachments[4]?.content.equals(pdf));
});

/** A server of files on this machine, and how often each path was asked for. */
async function fileServer(t: Test, handler: RequestListener) {
  const asked: string[] = [];
  const files = createServer((request, response) => {
    asked.push(request.url ?? '');
    handler(request, response);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    files.closeAllConnections();
    files.close();
  });
  const { port } = files.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

t.test('a file at an address is fetched once, before the answer', async (t) => {
  let version = 1;
  const { url, asked } = await fileServer(t, ({ url: path }, response) => {
    if (path === '/moved') response.writeHead(302, { location: '/a.pdf' }).end();
    else response.end(`%PDF-1.7 ${version++}`);
  });
  const body = {
    attachments: [{ filename: 'a.pdf', url: `${url}/moved` }],
    idempotencyKey: `fetched-${url}`,
  };
  const mail = await sent(t, body);
  t.equal(mail.attachments[0]?.content.toString(), '%PDF-1.7 1');
  t.same(asked, ['/moved', '/a.pdf']);
  const again = await takes(t, line, { ...send, ...body }, 202);
  t.equal(again.headers['x-idempotent-replay'], 'true');
  t.equal(asked.length, 2, 'the same call again fetches nothing');
  await refuses(t, line, { ...send, ...body, title: 'Other' }, { status: 409 });
  t.equal(asked.length, 2);

  const { externalUserId: _, ...shared } = { ...send, ...body };
  const batch = { ...shared, recipients: [{ externalUserId: 'ada' }] };
  const first = await takes(t, batchLine, { ...batch, idempotencyKey: `b-${url}` }, 202);
  t.match(first.json, { queued: 1 });
  t.equal(asked.length, 4);
  const second = await takes(t, batchLine, { ...batch, idempotencyKey: `b-${url}` }, 202);
  t.match(second.json, { queued: 0, replayed: 1, results: [{ id: first.json.results[0].id }] });
  t.equal(asked.length, 4);
  const [file] = (await mailOf(first.json.results[0].id)).attachments;
  t.equal(file?.content.toString(), '%PDF-1.7 2');
});

t.test('an address without the file is a 400 that says why', async (t) => {
  const { url } = await fileServer(t, ({ url: path = '' }, response) => {
    if (path === '/gone') response.writeHead(404).end('no');
    else if (path === '/login') response.end('<!doctype html><html><body>Log in');
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (path === '/local') response.writeHead(302, { location: 'ftp://example.com/' }).end();
    else if (path === '/large') response.end(Buffer.alloc(10 * 1_048_576 + 1, 'a'));
    else if (path === '/cut') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('%PDF-');
      setImmediate(() => response.destroy());
    }
  });
  const cases: [path: string, error: RegExp][] = [
    ['/gone', /answered 404/],
    ['/login', /HTML/],
    ['/loop', /redirects too often/],
    ['/local', /expected an https address/],
    ['/large', /larger than/],
    ['/cut', /closed the connection/],
  ];
  for (const [path, error] of cases) {
    const attachments = [invoice, { filename: 'a.pdf', url: url + path }];
    const field = path === '/login' ? 'attachments[1].filename' : 'attachments[1].url';
    await refuses(t, line, { ...send, attachments }, { status: 400, field, error }, path);
  }
});

const upload = async (bytes: Uint8Array, query: string) => {
  const reply = await fetch(`${server.url}${base}/assets?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  return { status: reply.status, json: (await reply.json()) as Uploaded };
};

interface Uploaded {
  readonly id: string;
  readonly url?: string;
  readonly error?: string;
}

t.test('files of an email have ten mebibytes in all', async (t) => {
  const { url } = await fileServer(t, (_, response) =>
    response.end(Buffer.alloc(4 * 1_048_576, 'a')),
  );
  const attachments = [1, 2, 3].map((i) => ({ filename: `${i}.txt`, url }));
  await refuses(t, line, { ...send, attachments }, { status: 400, error: /larger than|at most/ });
  const mail = await sent(t, { attachments: attachments.slice(0, 2) });
  t.equal(mail.attachments[1]?.size, 4 * 1_048_576);
});

t.test('exactly ten mebibytes are taken, and not one byte more', async (t) => {
  const most = 10 * 1_048_576;
  const small = { filename: 'small.txt', content: Buffer.from('abc').toString('base64') };
  const { url } = await fileServer(t, ({ url: path = '' }, response) =>
    response.end(Buffer.alloc(Number(path.slice(1)), 'a')),
  );
  const asset = await upload(Buffer.alloc(most - 5, 'b'), 'use=attachment&name=b.txt');
  const sums = (bytes: number) => [
    [small, { filename: 'large.txt', url: `${url}/${bytes - 3}` }],
    [{ filename: 'large.txt', url: `${url}/${bytes - 3}` }, small],
    [
      { assetId: asset.json.id },
      small,
      { filename: 'rest.txt', url: `${url}/${bytes - most + 2}` },
    ],
  ];
  for (const attachments of sums(most)) {
    const { json } = await takes(t, line, { ...send, attachments }, 202);
    await mailOf(json.id);
  }
  for (const attachments of sums(most + 1))
    await refuses(
      t,
      line,
      { ...send, attachments },
      { status: 400, error: /attachments.*(?:larger than|at most 10485760)/ },
    );
  await takes(t, `DELETE ${base}/assets/${asset.json.id}`, undefined, 204);
});

t.test('a large file is uploaded once, and attached by its id', async (t) => {
  const large = Buffer.concat([pdf, Buffer.alloc(9 * 1_048_576, 'x')]);
  const named = `use=attachment&name=${encodeURIComponent('Bảng giá.pdf')}`;
  const { status, json } = await upload(large, named);
  t.equal(status, 201);
  t.match(json, { type: 'application/pdf', bytes: large.length, url: undefined });
  t.equal((await upload(large, named)).status, 200);
  const mail = await sent(t, { attachments: [{ assetId: json.id }] });
  t.equal(mail.attachments[0]?.filename, 'Bảng giá.pdf');
  t.ok(mail.attachments[0]?.content.equals(large));
  await takes(t, `DELETE ${base}/assets/${json.id}`, undefined, 204);
  await refuses(t, line, { ...send, attachments: [{ assetId: json.id }] }, { status: 400 });
  t.match(await api.must(`GET ${base}/assets`), { items: [], bytes: 0 });
  for (const [bytes, query, expected, error] of [
    [Buffer.alloc(10 * 1_048_576 + 1), named, 413, /larger/],
    [Buffer.alloc(1_048_577), '', 413, /larger than 1048576/],
    [pdf, '', 400, /use=attachment/],
    [pdf, 'use=attachment', 400, /^name: /],
    [pdf, 'use=attachment&name=a.exe', 400, /^name: /],
    [Buffer.from('<html>'), 'use=attachment&name=a.pdf', 400, /^name: .*HTML/],
    [zipOf(['a.exe'], { before: png }), 'use=attachment&name=a.png', 400, /^body: .*a\.exe/],
    [zipOf(['a.exe'], { before: png }), '', 400, /^body: .*a\.exe/],
  ] as const) {
    const refused = await upload(bytes, query);
    t.equal(refused.status, expected, query);
    t.match(refused.json.error, error);
  }
  const picture = await upload(png, 'use=attachment&name=a.png');
  t.match(picture.json, { url: /\/a\// });
  const inline = { assetId: picture.json.id, inline: { cid: 'logo' } };
  t.match((await sent(t, { attachments: [inline] })).attachments, [{ cid: 'logo' }]);
});

t.test('a batch shares the files, and has copies only for one', async (t) => {
  for (const i of [1, 2])
    await api.must(`POST ${base}/subscribers`, {
      externalUserId: `b${i}`,
      devices: [{ channel: 'email', endpoint: `b${i}@example.com` }],
    });
  const recipients = [
    { externalUserId: 'b1' },
    { externalUserId: 'b2' },
    { externalUserId: 'phone' },
  ];
  const batch = {
    title: 'T',
    body: 'Hi {{ x }}',
    variables: { x: 1 },
    attachments: [invoice],
    recipients,
  };
  const { json } = await takes(t, batchLine, batch, 202);
  t.match(json, {
    queued: 2,
    rejected: 1,
    results: [{}, {}, { outcome: 'invalid', field: 'attachments' }],
  });
  for (const { id } of json.results.slice(0, 2))
    t.ok((await mailOf(id)).attachments[0]?.content.equals(pdf));
  for (const field of ['cc', 'bcc'])
    await refuses(t, batchLine, { ...batch, [field]: 'c@example.com' }, { status: 400, field });
});

t.test('copies go once to each address, and the send tells what it had', async (t) => {
  const body = {
    attachments: [invoice],
    cc: ['c@example.com', 'C@example.com', 'ada@example.com'],
    bcc: 'b@example.com',
  };
  const { json } = await takes(t, line, { ...send, ...body }, 202);
  const mail = await mailOf(json.id);
  t.match(mail.cc, { text: 'c@example.com' });
  t.equal(mail.headers.has('bcc'), false);
  const { messages } = await sandbox.must(`GET /control/messages?sendId=${json.id}`);
  t.same(messages.map(({ to }: { to: string }) => to).sort(), [
    'ada@example.com',
    'b@example.com',
    'c@example.com',
  ]);
  const file = { filename: invoice.filename, contentType: 'application/pdf', bytes: pdf.length };
  const read = await api.must(`GET ${base}/notifications/${json.id}?story=true`);
  t.match(read.content[0], { attachments: [file], bcc: ['b@example.com'] });
  t.match(read.story[0], { text: /with one file\.$/, attachments: [file] });
  t.notMatch(JSON.stringify(read), /hash/);
  const preview = await api.must(`GET ${base}/notifications/${json.id}/preview`);
  t.match(preview, { attachments: [file], items: [{ channel: 'email' }] });
  t.equal(preview.items[0].error, undefined);
  const { files } = await sandbox.must(`GET /control/messages/${messages[0].id}`);
  const saved = await fetch(server.sandboxUrl + files[0].path);
  t.ok(Buffer.from(await saved.arrayBuffer()).equals(pdf));
  t.match(saved.headers.get('content-disposition'), /^attachment; filename\*=UTF-8''H%C3%B3a/);
  t.equal(saved.headers.get('content-type'), 'application/octet-stream');
  t.match(saved.headers.get('content-security-policy'), /sandbox/);
});

t.test('copies count in the allowance and in the daily cap', async (t) => {
  const used = async () => {
    const { dailySends, emailAllowance } = await api.must('GET /v1/org/limits');
    return [dailySends.used, emailAllowance.used];
  };
  const [sends, emails] = await used();
  const copies = { cc: ['c@example.com', 'ada@example.com'], bcc: ['b@example.com'] };
  const { json } = await takes(t, line, { ...send, ...copies }, 202);
  const [outcome] = await eventually(async () => {
    const { outcomes } = await api.must(`GET ${base}/notifications/${json.id}`);
    return outcomes.length > 0 ? outcomes : undefined;
  }, 'the send does not end');
  t.match(outcome, { status: 'delivered', copies: 2 });
  t.same(await used(), [sends + 4, emails + 3]);
});

t.test('after a kill, an accepted mail has its files', async () => {
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'kim',
    devices: [{ channel: 'email', endpoint: 'waiting-kim@example.com' }],
  });
  const body = { ...send, externalUserId: 'kim', attachments: [invoice] };
  let id = '';
  const holds = async (t: Test) => {
    const mail = await mailOf(id);
    t.ok(mail.attachments[0]?.content.equals(pdf));
  };
  // The fault ends with the sandbox, and the inbox that is kept may be full of other mails.
  const begin = async (t: Test) => {
    const busy = { channel: 'email', match: 'waiting-kim', fault: 'status', value: 451 };
    await sandbox.must('POST /control/faults', busy);
    ({ id } = (await takes(t, line, body, 202)).json);
  };
  afterKill(server, 'an accepted mail arrives with its files', holds, begin);
});
