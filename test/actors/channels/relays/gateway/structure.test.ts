// No text of a person, and no number or id, changes the structure of a request: in JSON, a form, a
// query, XML, a path or a header. And what a layout may not have is refused when it is stored.

import fc from 'fast-check';
import t from 'tap';
import { gatewaySchema } from '../../../../../actors/channels/relays/gateway/config.ts';
import { buildRequest } from '../../../../../actors/channels/relays/gateway/request.ts';
import { textSize } from '../../../../../actors/channels/relays/gateway/segments.ts';
import { segmentsOf } from '../../../../../sandbox/carrier/sms-segments.ts';
import { tries } from '../../../../support/tries.ts';
import { aGateway } from './gateways.ts';

/** Whatever somebody may have written, hostile in each of the forms. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '"',
          "'",
          '\\',
          '}',
          '{{ credentials.apiKey }}',
          '</text>',
          '<!--',
          ']]>',
          '&amp;',
          '&',
          '=',
          '#',
        ],
        ...[
          '\r\n',
          '\n',
          '\0',
          '\ud800',
          '../',
          '..',
          '.',
          '/',
          '?',
          '%2e',
          '%',
          '+',
          ' ',
          ';',
          '$&',
          '$1',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

function layoutOf(over: object) {
  return gatewaySchema.parse({ ...aGateway, headers: {}, ...over });
}

function requestOf(over: object, value: string) {
  const layout = layoutOf(over);
  const named = { to: value, from: value, text: value, id: value };
  const request = buildRequest(layout, { named, credentials: layout.credentials });
  if (request === undefined) throw new Error('a request without headers can always be built');
  return request;
}

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

function holdsFor(check: (value: string) => void): void {
  fc.assert(fc.property(hostile, check), { numRuns: tries(3_000) });
}

t.test('JSON: the members of the layout, each with its whole value', async (t) => {
  const body = {
    a: 'x {{ text }} y',
    list: [{ to: '{{ to }}' }, 1, null],
    key: '{{ credentials.apiKey }}',
  };
  holdsFor((value) => {
    const sent = JSON.parse(requestOf({ body }, value).body ?? '');
    const wanted = {
      a: `x ${value} y`,
      list: [{ to: value }, 1, null],
      key: aGateway.credentials.apiKey,
    };
    if (JSON.stringify(sent) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(sent));
  });
  t.pass();
});

t.test('a form and a query: the fields of the layout, each with its whole value', async (t) => {
  const fields = { text: 'x {{ text }}', to: '{{ to }}', 'odd&name=': 'fixed' };
  holdsFor((value) => {
    const { body = '' } = requestOf({ contentType: 'form', body: fields }, value);
    const { url } = requestOf({ method: 'GET', body: undefined, query: fields }, value);
    const read = [new URLSearchParams(body), new URL(url).searchParams];
    const wanted = [
      ['text', `x ${wellFormed(value)}`],
      ['to', wellFormed(value)],
      ['odd&name=', 'fixed'],
    ];
    for (const one of read)
      if (JSON.stringify([...one]) !== JSON.stringify(wanted)) throw new Error(String(one));
    if (new URL(url).origin !== 'https://gateway.example.com') throw new Error(url);
  });
  t.pass();
});

t.test('XML: the same marks as with a harmless value', async (t) => {
  const body =
    '<?xml version="1.0"?><sms to="{{ to }}" b=\'{{ id }}\'><text>{{ text }}</text></sms>';
  const marksOf = (xml: string) => xml.replace(/&#\d+;/g, '').replace(/[^<>"'&]/g, '');
  const harmless = marksOf(requestOf({ contentType: 'xml', body }, 'x').body ?? '');
  holdsFor((value) => {
    const sent = requestOf({ contentType: 'xml', body }, value).body ?? '';
    if (marksOf(sent) !== harmless) throw new Error(sent);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML cannot have
    if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(sent)) throw new Error('no XML character');
  });
  t.pass();
});

t.test('a path: as many parts as the layout has, at the same host', async (t) => {
  const url = 'https://gateway.example.com/v1/{{ to }}/messages/{{ id }}/send';
  holdsFor((value) => {
    const sent = new URL(requestOf({ url, body: undefined }, value).url);
    if (sent.origin !== 'https://gateway.example.com' || sent.search !== '' || sent.hash !== '')
      throw new Error(sent.href);
    const parts = sent.pathname.split('/');
    if (parts.length !== 6 || parts[1] !== 'v1' || parts[3] !== 'messages' || parts[5] !== 'send')
      throw new Error(sent.href);
  });
  t.pass();
});

t.test('a header: printable ASCII, or no request at all', async (t) => {
  const layout = layoutOf({ headers: { 'x-reference': 'a {{ id }}' } });
  holdsFor((value) => {
    const request = buildRequest(layout, { named: { id: value }, credentials: {} });
    if (request === undefined) return;
    if (!/^[\x20-\x7e]+$/.test(request.headers['x-reference'] ?? '')) throw new Error('sent');
  });
  const values = { named: { id: 'a\r\nx-evil: 1' }, credentials: {} };
  t.equal(buildRequest(layout, values), undefined);
});

t.test(
  'a layout that could be changed, or would show a secret, is refused by its member',
  async (t) => {
    const token = { kind: 'token', secret: 'nothing' };
    for (const [over, path, words] of [
      [{ url: 'https://{{ to }}.example.com/' }, 'url', /host without placeholders/],
      [{ url: 'https://gateway.example.com?to={{ to }}' }, 'url', /use query/],
      [{ url: 'ftp://gateway.example.com/' }, 'url', /https/],
      [{ body: { to: '{{ phone }}' } }, 'body.to', /unknown; there are to/],
      [{ body: { to: '{{ to | raw }}' } }, 'body.to', /raw is unknown/],
      [{ body: { to: '{{ to' } }, 'body.to', /without its/],
      [{ body: { to: '{% if to %}x{% endif %}' } }, 'body.to', /tags/],
      [{ body: { to: '{{ credentials.other }}' } }, 'body.to', /not among the credentials/],
      [{ body: { a: { b: ['{{ x }}'] } } }, 'body.a.b.0', /unknown/],
      [{ body: '{"to":"{{ to }}"}' }, 'body', /object/],
      [{ contentType: 'form', body: { to: ['{{ to }}'] } }, 'body', /texts alone/],
      [{ contentType: 'xml', body: '<a {{ to }}="1"/>' }, 'body', /outside/],
      [{ contentType: 'xml', body: '<a b="x>" c={{ to }}/>' }, 'body', /outside/],
      [{ contentType: 'xml', body: '<a><!-- {{ to }} --></a>' }, 'body', /outside/],
      [{ contentType: 'xml', body: '<a><![CDATA[{{ text }}]]></a>' }, 'body', /outside/],
      [{ contentType: 'xml', body: '<a><!-- {{ to }}' }, 'body', /outside/],
      [{ headers: { host: 'x' } }, 'headers.host', /connection/],
      [{ headers: { 'x-text': '{{ text }}' } }, 'headers.x-text', /cannot carry/],
      [{ headers: { 'x-a': 'a\r\nb: c' } }, 'headers.x-a', /ASCII/],
      [{ headers: { Authorization: 'Bearer abc' } }, 'headers.Authorization', /credentials/],
      [{ body: { api_key: 'abc' } }, 'body.api_key', /credentials/],
      [{ query: { password: 'abc' } }, 'query.password', /credentials/],
      [{ callbacks: { proof: token } }, 'callbacks.proof.secret', /not among/],
      [{ unknown: 1 }, '', /nrecognized/],
    ] as const) {
      const { error } = gatewaySchema.safeParse({ ...aGateway, ...over });
      const [issue] = error?.issues ?? [];
      t.equal(issue?.path.join('.'), path, JSON.stringify(over));
      t.match(issue?.message, words, JSON.stringify(over));
      t.notMatch(issue?.message ?? '', /Bearer abc/);
    }
  },
);

t.test('segments are what the stand-in of the carrier counts', async (t) => {
  const alphabets = { 'GSM-7': 'gsm7', 'UCS-2': 'ucs2' };
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'ab€[é\u{1f600}ạ'), maxLength: 400 }),
    fc.string({ unit: fc.constantFrom(...'ab€[é'), maxLength: 400 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { alphabet, segments } = segmentsOf(text);
      const size = textSize(text);
      return size.alphabet === alphabets[alphabet] && size.segments === segments;
    }),
    { numRuns: tries(1_000) },
  );
  t.pass();
});
