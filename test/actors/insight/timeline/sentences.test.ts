// Stories in words: every code, check and next step has a sentence, and so has every reason that
// the code can write.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { channelIds } from '../../../../actors/channels/channel-ids.ts';
import { checkNames, nextCodes, storyCodes } from '../../../../actors/insight/timeline/codes.ts';
import {
  hasSentence,
  sentenceOfReason,
} from '../../../../actors/insight/timeline/reason-sentences.ts';
import {
  sentenceOf,
  sentenceOfCheck,
  sentenceOfNext,
} from '../../../../actors/insight/timeline/sentences.ts';

/** A sentence that a person can read: whole, and nothing of a program in it. */
const sentence = /^(?!.*(undefined|null|\[object|_|NaN))[A-Z].*\.$/;

t.test('every code has whole sentences, whatever else an entry knows', async (t) => {
  for (const code of storyCodes) {
    const bare = { kind: 'state', code, atMs: 0 } as const;
    for (const channel of [undefined, ...channelIds, 'pigeon'])
      for (const more of [
        {},
        { attempt: 1 },
        { attempt: 8 },
        { source: 'api' },
        { test: true as const },
      ]) {
        const entry = { ...bare, ...more, ...(channel === undefined ? {} : { channel }) } as const;
        t.match(sentenceOf(entry), sentence, code);
      }
    t.match(sentenceOf({ ...bare, channels: ['email', 'sms', 'fcm'] }), sentence, code);
  }
});

t.test('every check and every next step has a sentence', async (t) => {
  for (const check of checkNames)
    for (const passed of [true, false])
      t.match(sentenceOfCheck({ check, passed }), sentence, check);
  for (const code of nextCodes) t.match(sentenceOfNext({ code }), sentence, code);
});

/** Reasons as sources write them: beside an outcome, or as a member of that name. */
function reasonsIn(text: string): string[] {
  const beside = /'(?:dead|opted_out|permanent|config|rate|retry|ambiguous)',\s*'([a-z]\w+)'/g;
  const members = /\b(?:reason|disabledReason): '([a-z]\w+)'/g;
  return [...text.matchAll(beside), ...text.matchAll(members)].map(([, reason = '']) => reason);
}

function sourcesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(directory, path), 'utf8'));
}

const areas = ['channels', 'sending', 'programs'];
/** Of calls of services that prove nothing, and classes of outcomes in lists. */
const noReasons: ReadonlySet<string> = new Set([
  'signature',
  'unreadable',
  'too_old',
  'config',
  'retry',
]);

t.test('every reason that the code can write has a sentence of its own', async (t) => {
  const reasons = new Set(
    areas.flatMap((area) => sourcesBelow(`actors/${area}`).flatMap(reasonsIn)),
  );
  for (const reason of noReasons) reasons.delete(reason);
  for (const file of [
    'actors/channels/outbound/outbound.ts',
    'actors/runtime/erasure.ts',
    'actors/runtime/restored.ts',
  ])
    for (const reason of reasonsIn(readFileSync(file, 'utf8'))) reasons.add(reason);
  t.ok(reasons.size > 200, `the scan sees them: ${reasons.size}`);
  for (const known of ['unregistered', 'not_supported', 'relay_refused', 'no_zalo_account'])
    t.ok(reasons.has(known), `the scan sees ${known}`);
  t.same(
    [...reasons].filter((reason) => !hasSentence(reason)),
    [],
    'write a sentence for these in actors/insight/timeline/reason-sentences.ts',
  );
  for (const reason of reasons) t.match(sentenceOfReason(reason), sentence, reason);
});

t.test(
  'a reason that nobody foresaw is shown as it is, and a number says whose it is',
  async (t) => {
    t.notOk(hasSentence('sun_spots'));
    t.equal(sentenceOfReason('sun_spots'), 'The reason was: sun spots.');
    t.equal(sentenceOfReason('http_418'), 'The provider responded with HTTP status 418.');
    t.equal(sentenceOfReason('code_30007'), 'The provider responded with its error code 30007.');
    for (const inherited of ['toString', 'constructor', '__proto__'])
      t.notOk(hasSentence(inherited));
  },
);

t.test('a reason that means something else on a channel has other words there', async (t) => {
  t.equal(sentenceOfReason('busy', 'voice'), 'The line was busy.');
  t.not(sentenceOfReason('busy', 'zalo'), sentenceOfReason('busy', 'voice'));
  t.equal(
    sentenceOfReason('forbidden', 'telegram'),
    'The bot is not allowed to write in this chat.',
  );
  t.match(sentenceOfReason('forbidden', 'apns'), /credential/);
});

t.test('a reason is not told as the fault of somebody who can do nothing about it', async (t) => {
  t.match(sentenceOfReason('rcs_unreachable'), /phone/);
  t.match(sentenceOfReason('opted_out'), /opted out/);
  t.match(sentenceOfReason('api_version_unsupported'), /app version is too old/);
  t.match(sentenceOfReason('recipient_not_allowed'), /test numbers/);
  t.match(sentenceOfReason('unsubscribed'), /browser/);
  t.notMatch(
    sentenceOf({
      kind: 'receipt',
      code: 'bounced',
      atMs: 0,
      channel: 'sms',
      reason: 'text_too_long',
    }),
    /provider/,
    'the carrier was not called',
  );
  t.ok(hasSentence('deferred'), 'a greylisted mail');
  t.match(sentenceOf({ kind: 'state', code: 'channel_refused', atMs: 0 }), /account/);
  t.notMatch(
    sentenceOf({ kind: 'opt_out', code: 'unsubscribed', atMs: 0, source: 'bounce' }),
    /The person opted out/,
    'a dead mailbox and a complaint are no wish of the person that they told us',
  );
});
