// A fourteenth channel, added to a scratch copy of the sources: its folder, its stand-in, and one
// line in each of three lists. The copy compiles, and everything that lists channels knows it.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { root } from '../../support/places.ts';

/** The channel's folder. */
const folder = {
  'actors/channels/signal/channel.ts': `// Signal.
import { z } from 'zod';
import { type ChannelEntry, ownAccount, waitOrNever } from '../channel-entry.ts';
import { secretText } from '../credential-forms.ts';
import { textEndpoint } from '../endpoint.ts';

const credentialSchema = z.object({ token: secretText(8, 64) });
export type SignalCredential = z.infer<typeof credentialSchema>;

export const signal = {
  label: 'Signal',
  ...textEndpoint('user id', (raw) => (/^s[0-9]{4}$/.test(raw) ? { value: raw } : { problem: 'must be s and four digits' }), 5),
  ...ownAccount,
  identity: 'signal',
  credential: 'signal',
  credentialSchema,
  onAmbiguous: waitOrNever,
  urls: { SIGNAL: 'https://api.signal.example' },
  namesMessages: 'provider',
  registersWebhook: true,
  webhook: { header: 'x-signal-token', proof: 'The token.', about: 'Called by Signal.' },
  reasons: { moon_phase: 'The moon was full.' },
} as const satisfies ChannelEntry;
`,
  'actors/channels/signal/message.ts': `// What a message is to Signal.
import type { Attempt } from '../attempt.ts';

export function signalMessage({ content }: Attempt, to: string): { readonly body: string } {
  return { body: JSON.stringify({ to, text: content.body }) };
}
`,
  'actors/channels/signal/callbacks.ts': `// What Signal calls back with.
import type { WebhookReader } from '../callback-item.ts';
import { jsonIn, textOf } from '../json.ts';
import type { SignalCredential } from './channel.ts';

export const signalWebhook: WebhookReader = {
  secret: 'token',
  wanted: (credential) => (credential as SignalCredential).token,
  items(body) {
    const { id, to } = jsonIn(body) ?? {};
    return [{ kind: 'status', name: textOf(id), addresses: [textOf(to)], news: { kind: 'arrived' } }];
  },
};
`,
  'actors/channels/signal/provider.ts': `// How Signal is spoken with.
import { previewOf } from '../preview.ts';
import type { Provider } from '../provider.ts';
import { signalWebhook } from './callbacks.ts';
import { signalMessage } from './message.ts';

export const signalProvider = {
  preview: previewOf(signalMessage),
  adapter: async () => (await import('./adapter.ts')).createSignal,
  webhook: signalWebhook,
} as const satisfies Provider;
`,
  'actors/channels/signal/adapter.ts': `// Sends through Signal.
import type { Adapter, AdapterContext } from '../adapter.ts';
import { unreached } from '../answers.ts';
import { signal } from './channel.ts';
import { signalMessage } from './message.ts';

export function createSignal({ config, outbound }: AdapterContext): Adapter {
  const url = config.urls.SIGNAL ?? signal.urls.SIGNAL;
  return {
    async send(attempt) {
      const { body } = signalMessage(attempt, String(attempt.endpoint));
      const result = await outbound.call({ method: 'POST', url, destination: 'trusted', body });
      return result.kind === 'answered' ? { outcome: 'accepted' } : unreached(result);
    },
    close: () => Promise.resolve(),
  };
}
`,
};

const standIn = {
  'sandbox/signal/signal.ts': `// Stand-in of Signal.
import { type HttpStandIn, jsonAnswer } from '../stand-in.ts';

export function signalStandIn(): HttpStandIn {
  return {
    transport: 'http',
    channel: 'signal',
    label: 'Signal',
    look: 'chat',
    mount: '/signal',
    urls: { SIGNAL: '/signal' },
    bodyBytesMax: 1024,
    namedFaults: [],
    refusal: (status) => jsonAnswer(status, {}),
    receive: () => ({ answer: jsonAnswer(200, {}) }),
  };
}
`,
};

/** The lines elsewhere: each list imports the channel and names it. */
const lines: Readonly<Record<string, readonly (readonly [before: string, line: string])[]>> = {
  'actors/channels/catalog.ts': [
    ["import { sms } from './sms/channel.ts';", "import { signal } from './signal/channel.ts';"],
    ['  kakao,', '  signal,'],
  ],
  'actors/channels/providers.ts': [
    [
      "import { smsProvider } from './sms/provider.ts';",
      "import { signalProvider } from './signal/provider.ts';",
    ],
    ['  kakao: kakaoProvider,', '  signal: signalProvider,'],
  ],
  'sandbox/providers.ts': [
    [
      "import { telegramStandIn } from './telegram/telegram.ts';",
      "import { signalStandIn } from './signal/signal.ts';",
    ],
    ['  kakaoStandIn,', '  signalStandIn,'],
  ],
};

/** Asks everything that lists channels; run in the copy. */
const probe = `
import { channelIds, channelsOf, providerUrlNames } from './actors/channels/catalog.ts';
import { checkCredential } from './actors/channels/credentials.ts';
import { payloadOf, providers } from './actors/channels/providers.ts';
import { hasWords } from './actors/insight/timeline/reason-words.ts';
import { normaliseEndpoint } from './actors/people/audience/identity.ts';
import { isNamedByProvider } from './actors/sending/transactional/device-sends.ts';
import { readConfig } from './http/config.ts';
import { receiveWebhooks } from './http/routes/webhooks/chat.ts';
import { channelSchema } from './http/schemas.ts';
import { providers as standIns } from './sandbox/providers.ts';
import { z } from 'zod';

const attempt = { channel: 'signal', endpoint: 's1234', content: { body: 'Hi', options: {} } };
console.log(JSON.stringify({
  last: channelIds.at(-1),
  endpoint: normaliseEndpoint('signal', ' s1234 '),
  wrong: normaliseEndpoint('signal', 'x'),
  optsOut: channelsOf('signal'),
  credential: 'credential' in checkCredential('signal', { token: 'long-enough' }),
  faulty: checkCredential('signal', { token: 'x' }),
  enum: JSON.stringify(z.toJSONSchema(channelSchema)).includes('"signal"'),
  setting: readConfig({ ENGAGE_SIGNAL_URL: 'http://127.0.0.1:1/' }).providerUrls,
  urlNames: providerUrlNames.includes('SIGNAL'),
  route: receiveWebhooks['receiveSignal']?.path,
  named: isNamedByProvider('signal'),
  words: hasWords('moon_phase'),
  preview: payloadOf(attempt as never, 0),
  read: providers.signal.webhook.items(Buffer.from('{"id":"1","to":"s1234"}')),
  adapter: typeof (await providers.signal.adapter()),
  standIns: standIns.length,
}));
`;

t.test('a fourteenth channel is a folder, a stand-in, and a line in three lists', (t) => {
  const copy = mkdtempSync(join(tmpdir(), 'engage-fourteenth-'));
  t.teardown(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of [
    'actors',
    'engine',
    'storage',
    'http',
    'sandbox',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  };
  for (const [path, text] of Object.entries({ ...folder, ...standIn, 'probe.ts': probe }))
    write(path, text);
  write(
    'tsconfig.json',
    readFileSync(join(root, 'tsconfig.json'), 'utf8').replace(
      /"include": .*/,
      '"files": ["probe.ts"]',
    ),
  );
  const compile = () =>
    spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', copy], {
      encoding: 'utf8',
    });

  const touched = Object.keys(lines);
  t.same(touched, [
    'actors/channels/catalog.ts',
    'actors/channels/providers.ts',
    'sandbox/providers.ts',
  ]);
  for (const path of touched) {
    // Without its provider the channel does not compile, so nobody can forget that line.
    if (path === 'actors/channels/providers.ts')
      t.match(compile().stdout, /providers\.ts.*Property 'signal' is missing/);
    let text = readFileSync(join(copy, path), 'utf8');
    for (const [before, line] of lines[path] ?? []) {
      t.ok(text.includes(before), `${path} has ${before}`);
      text = text.replace(
        before,
        `${before}
${line}`,
      );
    }
    write(path, text);
  }
  t.equal(compile().stdout, '', 'it compiles');

  const answer = execFileSync(process.execPath, ['--import=tsx', 'probe.ts'], {
    cwd: copy,
    encoding: 'utf8',
  });
  t.match(JSON.parse(answer), {
    last: 'signal',
    endpoint: { endpoint: 's1234', key: 's1234', identity: 'signal:s1234' },
    wrong: { problem: 'must be s and four digits' },
    optsOut: ['signal'],
    credential: true,
    faulty: { code: 'invalid', field: 'token' },
    enum: true,
    setting: { SIGNAL: 'http://127.0.0.1:1' },
    urlNames: true,
    route: '/v1/webhooks/signal/:appId',
    named: true,
    words: true,
    preview: { payload: { to: 's1234', text: 'Hi' } },
    read: [{ kind: 'status', name: '1', addresses: ['s1234'] }],
    adapter: 'function',
    standIns: 16,
  });
  t.end();
});
