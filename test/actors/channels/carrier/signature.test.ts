import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { isSignedByCarrier } from '../../../../actors/channels/carrier/signature.ts';
import { carrierSignature } from '../../../support/carrier-signature.ts';

const token = '12345';
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const form: [string, string][] = [
  ['CallSid', 'CA1234567890ABCDE'],
  ['Caller', '+12349013030'],
  ['Digits', '1234'],
  ['From', '+12349013030'],
  ['To', '+18005551212'],
];
const body = Buffer.from(new URLSearchParams(form).toString());
const signature = '0/KCTR6DLpKmkAf8muzZqo1nDgQ=';
const json = Buffer.from('{"property": "value", "boolean": true}');
const jsonUrl = `${url}&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620`;
const jsonSignature = 'a9nBmqA0ju/hNViExpshrM61xv4=';

t.test("the carrier's published example of a form verifies", async (t) => {
  t.equal(carrierSignature(token, url, form), signature);
  t.ok(isSignedByCarrier({ url, body, signature }, token));
  const reversed = Buffer.from(new URLSearchParams([...form].reverse()).toString());
  t.ok(isSignedByCarrier({ url, body: reversed, signature }, token), 'in any order');
});

t.test('the example of a JSON body verifies by the hash in its address', async (t) => {
  t.ok(isSignedByCarrier({ url: jsonUrl, body: json, signature: jsonSignature }, token));
  const upper = jsonUrl.replace(/[0-9a-f]{64}/, (hash) => hash.toUpperCase());
  const signed = carrierSignature(token, upper, []);
  t.ok(isSignedByCarrier({ url: upper, body: json, signature: signed }, token), 'in any case');
});

t.test('whatever is changed, the signature no longer holds', async (t) => {
  const good = { url, body, signature };
  const goodJson = { url: jsonUrl, body: json, signature: jsonSignature };
  const changed: [string, Parameters<typeof isSignedByCarrier>][] = [
    ['another token', [good, '12346']],
    ['no token', [good, '']],
    ['no signature', [{ ...good, signature: undefined }, token]],
    ['an empty one', [{ ...good, signature: '' }, token]],
    ['a longer one', [{ ...good, signature: `${signature}=` }, token]],
    ['another path', [{ ...good, url: url.replace('myapp', 'other') }, token]],
    ['another query', [{ ...good, url: url.replace('foo=1', 'foo=2') }, token]],
    ['another host', [{ ...good, url: url.replace('mycompany', 'another') }, token]],
    ['another scheme', [{ ...good, url: url.replace('https', 'http') }, token]],
    ['a value', [{ ...good, body: Buffer.from(String(body).replace('1234', '1235')) }, token]],
    ['a member more', [{ ...good, body: Buffer.from(`${body}&x=1`) }, token]],
    ['an empty body', [{ ...good, body: Buffer.alloc(0) }, token]],
    ['JSON, one byte', [{ ...goodJson, body: Buffer.from(`${json} `) }, token]],
    ['JSON, its hash', [{ ...goodJson, url: jsonUrl.replace('0a1f', '0a1e') }, token]],
    ['JSON without its hash', [{ ...goodJson, url }, token]],
    ['a form, passed off as hashed', [{ ...good, url: jsonUrl }, token]],
  ];
  for (const [what, call] of changed) t.notOk(isSignedByCarrier(...call), what);
});

t.test('the address holds with and without its default port, whichever was signed', async (t) => {
  const forms = (scheme: string, port: string) => [
    `${scheme}://engage.example.com/v1/x?app=a&send=b`,
    `${scheme}://engage.example.com:${port}/v1/x?app=a&send=b`,
  ];
  for (const [scheme, port] of [
    ['https', '443'],
    ['http', '80'],
  ] as const) {
    for (const ours of forms(scheme, port)) {
      for (const theirs of forms(scheme, port)) {
        const signed = carrierSignature(token, theirs, form);
        t.ok(isSignedByCarrier({ url: ours, body, signature: signed }, token), `${ours} ${theirs}`);
      }
    }
  }
  const own = 'http://127.0.0.1:8400/v1/x?app=a';
  const signedOwn = carrierSignature(token, own, form);
  t.ok(isSignedByCarrier({ url: own, body, signature: signedOwn }, token), 'another port');
  const other = own.replace('8400', '8401');
  t.notOk(isSignedByCarrier({ url: other, body, signature: signedOwn }, token));
});

t.test('a query that older code of the carrier writes anew holds, too', async (t) => {
  const ours = 'https://engage.example.com/x?name=a+b';
  const theirs = 'https://engage.example.com/x?name=a%20b';
  const signed = carrierSignature(token, theirs, form);
  t.ok(isSignedByCarrier({ url: ours, body, signature: signed }, token));
});

t.test('a GET is signed by its address alone, and what is no address by its text', async (t) => {
  for (const one of [url, 'not an address', 'https://']) {
    const signed = carrierSignature(token, one, []);
    t.ok(isSignedByCarrier({ url: one, body: Buffer.alloc(0), signature: signed }, token), one);
  }
});

t.test('a name that repeats counts each different value once, in order', async (t) => {
  const repeated = new URLSearchParams([
    ['b', '2'],
    ['a', 'z'],
    ['a', 'y'],
    ['a', 'z'],
    ['c', ''],
  ]);
  const call = {
    url,
    body: Buffer.from(repeated.toString()),
    signature: createHmac('sha1', token).update(`${url}ayazb2c`).digest('base64'),
  };
  t.ok(isSignedByCarrier(call, token));
});

t.test('every form verifies as it was signed, and not under another token', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 });
  await fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 8 }), text, (pairs, secret) => {
      fc.pre(secret !== '');
      const sent = Buffer.from(new URLSearchParams(pairs).toString());
      // Signed by a naive reading of the rule.
      const sorted = [...new Set(pairs.map(([name]) => name))].sort();
      const words = sorted.map((name) => {
        const values = pairs.filter(([other]) => other === name).map(([, value]) => value);
        return [...new Set(values)]
          .sort()
          .map((value) => name + value)
          .join('');
      });
      const signed = createHmac('sha1', secret)
        .update(url + words.join(''))
        .digest('base64');
      const call = { url, body: sent, signature: signed };
      return isSignedByCarrier(call, secret) && !isSignedByCarrier(call, `${secret}.`);
    }),
  );
});

t.test('a form of many members costs once, whoever sent it', (t) => {
  const members = Array.from({ length: 8_000 }, (_, i): [string, string] => [`k${i}`, '1']);
  const url = 'https://engage.test:8443/v1/webhooks?app=a b';
  const body = Buffer.from(new URLSearchParams(members).toString());
  const Real = URLSearchParams;
  let walks = 0;
  globalThis.URLSearchParams = class extends Real {
    override [Symbol.iterator]() {
      walks++;
      return super[Symbol.iterator]();
    }
  };
  t.teardown(() => {
    globalThis.URLSearchParams = Real;
  });
  t.notOk(isSignedByCarrier({ url, body, signature: 'forged' }, 'token'));
  t.equal(walks, 1, 'the form is sorted once for all forms of the URL');
  t.end();
});
