import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { email } from '../../../../actors/channels/email/channel.ts';
import { emailOutcome } from '../../../../actors/channels/email/relay-outcome.ts';
import { replyRules } from '../../../../actors/channels/email/reply-rules.ts';
import { senderRefusals } from '../../../../actors/channels/email/sender-refusals.ts';
import {
  parseReply,
  type SmtpReply,
  type SmtpStage,
} from '../../../../actors/channels/email/smtp-reply.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { hasSentence } from '../../../../actors/insight/timeline/reason-sentences.ts';
import { fileAt } from '../../../support/places.ts';
import { tries } from '../../../support/tries.ts';

interface Labeled {
  readonly judged: string;
  readonly stage: SmtpStage;
  readonly whose: string;
  readonly said: string;
}

const file = fileAt('test/fixtures/mail-replies.txt');
const corpus: readonly Labeled[] = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [judged = '', stage = '', whose = '', ...said] = line.split('|');
    const text = said.join('|').replaceAll('\\n', '\r\n');
    return { judged, stage: stage as SmtpStage, whose, said: text };
  });

const to = 'ann@recipient.example';

function outcomeOf(said: string | SmtpReply, stage: SmtpStage = 'rcpt', recipient = to): Outcome {
  const reply = typeof said === 'string' ? parseReply(`${said}\r\n`) : said;
  if (reply === undefined) throw new Error(`no reply: ${said}`);
  const people = { to: recipient, from: 'shop@sender.example' };
  return emailOutcome({ kind: 'refused', stage, reply }, 'id', people);
}

const isFinal = 'permanent';
/** The outcome and the reasons that a label stands for. */
const meaning: Readonly<Record<string, (outcome: Outcome) => boolean>> = {
  dead: (one) => one.outcome === 'dead',
  mailbox_full: (one) => one.outcome === 'retry' && one.reason === 'mailbox_full',
  recipient_limit: (one) => one.outcome === 'retry' && one.reason === 'recipient_quota',
  slow_down: (one) => one.outcome === 'rate' && one.domain === undefined,
  slow_down_domain: (one) => one.outcome === 'rate' && one.domain === 'recipient.example',
  later: (one) => one.outcome === 'retry' && /^(?:deferred|relay_busy)$/.test(one.reason),
  sender_refused: (one) =>
    /^(?:permanent|config|retry)$/.test(one.outcome) &&
    'reason' in one &&
    (senderRefusals as readonly string[]).includes(one.reason),
  config: (one) => one.outcome === 'config',
  too_large: (one) => one.outcome === isFinal && one.reason === 'message_too_large',
  content: (one) => one.outcome === isFinal && /^(?:content_)?refused$|^policy$/.test(one.reason),
  suspended: (one) => one.outcome === isFinal && one.reason === 'mailbox_suspended',
  refused: (one) =>
    one.outcome === isFinal &&
    /^(?:refused|policy|content_refused|routing|relaying_denied)$/.test(one.reason),
};

t.test('replies of mail servers of all kinds are judged as labeled', async (t) => {
  t.ok(corpus.length >= 250, `${corpus.length} replies`);
  const wrong: string[] = [];
  for (const { judged, stage, whose, said } of corpus) {
    const outcome = outcomeOf(said, stage);
    // Before MAIL FROM nobody is named: a block is the relay's, a limit the account's.
    const expected =
      stage === 'greeting' && judged === 'sender_refused'
        ? 'config'
        : /^(?:greeting|mail)$/.test(stage) && judged === 'slow_down_domain'
          ? 'slow_down'
          : judged;
    if (meaning[expected]?.(outcome) !== true)
      wrong.push(`${whose}: ${said} is ${judged}, not ${JSON.stringify(outcome)}`);
  }
  t.same(wrong, []);
});

t.test('a reply that is not final never disables a device', async (t) => {
  const dead = corpus.filter(({ judged }) => judged === 'dead');
  for (const { said } of dead) {
    for (const code of ['421', '450', '451', '452']) {
      const later = outcomeOf(said.replaceAll(/^5\d\d/gm, code));
      t.not(later.outcome, 'dead', said);
    }
  }
});

t.test('before the recipient is named, no reply is about the recipient', async (t) => {
  for (const { said } of corpus)
    for (const stage of ['greeting', 'auth', 'mail'] as const) {
      const outcome = outcomeOf(said, stage);
      t.not(outcome.outcome, 'dead', `${stage} ${said}`);
      if ('reason' in outcome) t.not(outcome.reason, 'mailbox_full', `${stage} ${said}`);
    }
});

t.test('words about the sender win, wherever they stand', async (t) => {
  const dead = corpus.filter(({ judged, stage }) => judged === 'dead' && stage === 'rcpt');
  const aboutSender = [
    'Client host [192.0.2.9] blocked using zen.spamhaus.org',
    'your IP has a poor reputation',
    'Sender verify failed',
    'SPF check failed',
    'too many messages from this host in the last hour',
    'sending rate exceeded',
  ];
  await fc.assert(
    fc.property(
      fc.constantFrom(...dead),
      fc.constantFrom(...aboutSender),
      fc.boolean(),
      ({ said }, words, isFirst) => {
        const reply = parseReply(`${said}\r\n`) as SmtpReply;
        const text = isFirst ? `${words}. ${reply.text}` : `${reply.text}. ${words}`;
        const { outcome } = outcomeOf({ ...reply, text });
        if (outcome === 'dead') t.fail(text);
      },
    ),
    { numRuns: tries(600) },
  );
});

t.test('links and addresses within a reply say nothing of the recipient', async (t) => {
  for (const said of [
    '550 5.7.0 rejected, see https://example.com/no-such-user',
    '550 5.7.0 rejected <user-unknown@example.com>',
    '550 5.7.0 rejected (www.example.com/mailbox-not-found)',
  ])
    t.not(outcomeOf(said).outcome, 'dead', said);
});

t.test('a limit belongs to the domain that the reply names', async (t) => {
  const said = (text: string) => outcomeOf(`421 4.7.0 ${text}`, 'rcpt', 'ann@example.net');
  t.match(said('host mx1 of example.net: too many connections'), { domain: 'example.net' });
  t.match(said('too many connections to domain example.net.'), { domain: 'example.net' });
  t.notMatch(said('<ann@example.net>: too many connections'), { domain: String });
  t.notMatch(said('too many connections to myexample.net'), { domain: String });
  t.notMatch(said('too many connections to example.network'), { domain: String });
  t.notMatch(said('too many connections'), { domain: String });
});

t.test('a full mailbox holds up nobody else, and is tried again after minutes', async (t) => {
  for (const said of [
    '452 4.2.2 over quota',
    '552 mailbox full',
    '450 4.2.1 user over rate limit',
  ]) {
    const outcome = outcomeOf(said);
    t.match(outcome, { outcome: 'retry', retryAfterMs: 300_000 }, said);
    t.ok(
      email.reachedReasons.some((one) => 'reason' in outcome && one === outcome.reason),
      said,
    );
  }
});

t.test('codes decide where words are unknown', async (t) => {
  const cases: [said: string, outcome: string, reason: string][] = [
    ['550 5.1.1 qwerty', 'dead', 'mailbox_not_found'],
    ['550 5.1.2 qwerty', 'dead', 'domain_not_found'],
    ['501 5.1.3 qwerty', 'dead', 'bad_address'],
    ['551 5.1.6 qwerty', 'dead', 'mailbox_moved'],
    ['550 5.1.10 qwerty', 'dead', 'domain_takes_no_mail'],
    ['550 5.2.1 qwerty', 'dead', 'mailbox_disabled'],
    ['550 5.4.4 qwerty', 'dead', 'domain_not_found'],
    ['550 5.4.310 qwerty', 'dead', 'domain_not_found'],
    ['550 qwerty (#5.1.1)', 'dead', 'mailbox_not_found'],
    ['556 qwerty', 'dead', 'domain_takes_no_mail'],
    ['550 4.1.1 qwerty', 'permanent', 'refused'],
    ['550 192.0.5.1.1 qwerty', 'permanent', 'refused'],
    ['521 5.2.1 qwerty', 'permanent', 'refused'],
    ['550 5.1.4 qwerty', 'permanent', 'refused'],
    ['550 5.1.7 qwerty', 'permanent', 'sender_refused'],
    ['550 5.1.8 qwerty', 'permanent', 'sender_refused'],
    ['550 5.4.1 qwerty', 'permanent', 'routing'],
    ['550 5.4.7 qwerty', 'permanent', 'routing'],
    ['450 4.4.1 qwerty', 'retry', 'deferred'],
    ['550 5.7.1 qwerty', 'permanent', 'policy'],
    ['550 5.7.26 qwerty', 'permanent', 'sender_not_authenticated'],
    ['550 5.7.606 qwerty', 'permanent', 'sender_blocked'],
    ['550 5.2.2 qwerty', 'retry', 'mailbox_full'],
    ['452 4.2.2 qwerty', 'retry', 'mailbox_full'],
    ['550 5.4.5 qwerty', 'rate', 'throttled'],
    ['552 5.3.4 qwerty', 'permanent', 'message_too_large'],
    ['552 5.2.3 qwerty', 'permanent', 'message_too_large'],
    ['552 qwerty', 'permanent', 'refused'],
    ['421 qwerty', 'retry', 'relay_busy'],
  ];
  for (const [said, outcome, reason] of cases) t.match(outcomeOf(said), { outcome, reason }, said);
  t.match(outcomeOf('552 qwerty', 'mail'), { outcome: 'permanent', reason: 'message_too_large' });
});

t.test('no pattern repeats without a bound, because strangers write what it reads', async (t) => {
  for (const { words, marks, enhanced, source } of replyRules)
    for (const pattern of [words, marks, enhanced])
      t.notMatch(
        pattern?.source.replaceAll(/\[[^\]]*\]|\\./g, 'x') ?? '',
        /[*+]|\{\d+,\}/,
        `${source}: ${pattern}`,
      );
});

t.test('every reason has a sentence', async (t) => {
  for (const { reason } of replyRules) t.ok(hasSentence(reason), reason);
});

t.test('whatever a server says, it is judged', async () => {
  await fc.assert(
    fc.property(
      fc.integer({ min: 400, max: 599 }),
      fc.string({ maxLength: 3000 }),
      (code, text) => {
        const { outcome } = outcomeOf({ code, text });
        return code >= 500 || outcome !== 'dead';
      },
    ),
    { numRuns: tries(600) },
  );
});
