// Unsubscribe pages with the branding of an org, hostile or not.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { type Branding, serviceBranding } from '../../../actors/tenants/accounts/records.ts';
import { tries } from '../../support/tries.ts';
import { fakeFront } from './fake-front.ts';

async function open(branding: Partial<Branding>, line = 'GET /u/good') {
  const app = { name: 'Shop', branding: { ...serviceBranding, ...branding } };
  const front = fakeFront((message) => (message.kind === 'app.read' ? app : {}));
  const { status, text, headers } = await front.call(line, { key: 'none' });
  return { status, text, policy: String(headers['content-security-policy']) };
}

const logoUrl = 'https://cdn.example.com/logo.png?a=1&b=2';

/** The policy must allow the page's style, or it is not applied at all. */
function styleHash(text: string): string {
  const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

t.test('a page without branding names the service, quietly', async (t) => {
  for (const line of ['GET /u/good', 'POST /u/good']) {
    const { text, policy } = await open({}, line);
    t.match(text, /<footer class="by" lang="en" dir="ltr">Sent with Engage<\/footer>/);
    t.notMatch(text, /<img|class="brand"/);
    t.notMatch(policy, /img-src/);
    t.ok(policy.includes(styleHash(text)), 'its style is allowed');
  }
});

t.test('a page shows name, logo and color, before and after', async (t) => {
  for (const line of ['GET /u/good', 'POST /u/good']) {
    const branding = { productName: 'Northwind', logoUrl, accentColor: '#0b6e4f' };
    const { text, policy } = await open({ ...branding, hideServiceBranding: true }, line);
    t.match(text, 'src="https://cdn.example.com/logo.png?a=1&#38;b=2" alt="Northwind"');
    t.match(text, '--act:#0b6e4f;--on:#ffffff');
    t.match(policy, /img-src https:\/\/cdn\.example\.com;/, 'no other host');
    t.ok(policy.includes(styleHash(text)), 'its style is allowed');
    t.notMatch(text, /Engage/, 'the service is not named');
    t.match((await open({ productName: 'Northwind' }, line)).text, /class="brand">Northwind</);
  }
});

t.test('a link that names no app shows nobody’s branding', async (t) => {
  const { status, text } = await open({ productName: 'Northwind' }, 'GET /u/bad');
  t.equal(status, 404);
  t.notMatch(text, /Northwind|Sent with/);
});

t.test('no product name becomes markup', async (t) => {
  const plain = (await open({ productName: 'x' })).text.match(/</g)?.length;
  const withLogo = (await open({ productName: 'x', logoUrl })).text.match(/</g)?.length;
  const hostile = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onload='alert(1)",
      '</style><script>alert(1)</script>',
      '&lt;script&gt;',
      '{app}{address}',
    ),
    fc.string({ minLength: 1, maxLength: 64, unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (productName) => {
      const named = await open({ productName });
      t.equal(named.text.match(/</g)?.length, plain, 'as many tags as with a plain name');
      const inLogo = await open({ productName, logoUrl });
      t.equal(inLogo.text.match(/</g)?.length, withLogo);
      const alt = /alt="([^"]*)"/.exec(inLogo.text)?.[1] ?? '';
      t.notMatch(alt, /[<>']/);
      t.ok(named.policy.includes(styleHash(named.text)));
    }),
    { numRuns: tries(60) },
  );
});

t.test('the words on a button can be read on any color', async (t) => {
  const light = (color: string) => {
    const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
    const [r, g, b] = parts.map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    ) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  await fc.assert(
    fc.asyncProperty(fc.nat(0xffffff), async (number) => {
      const accentColor = `#${number.toString(16).padStart(6, '0')}`;
      const { text } = await open({ accentColor });
      const on = new RegExp(`--act:${accentColor};--on:(#[0-9a-f]{6})`).exec(text)?.[1] ?? '';
      const [one, other] = [light(accentColor), light(on)];
      t.ok(Math.max(one, other) / Math.min(one, other) >= 4.5, `${on} on ${accentColor}`);
    }),
    { numRuns: tries(100) },
  );
});
