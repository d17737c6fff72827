// Figures of mails equal a plain recount over generated histories, also after a checkpoint, and
// stay within bounds.

import t from 'tap';
import { mailboxGroups } from '../../../../actors/channels/email/mailbox-groups.ts';
import { mailboxesDecisions } from '../../../../actors/sending/mailboxes/decide.ts';
import { mailFacts } from '../../../../actors/sending/mailboxes/figures.ts';
import { MailDays } from '../../../../actors/sending/mailboxes/mail-days.ts';
import type {
  MailboxesEntry,
  MailboxProviders,
} from '../../../../actors/sending/mailboxes/protocol.ts';
import { MailTally, mailDay } from '../../../../actors/sending/mailboxes/tally.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';
import { tries } from '../../../support/tries.ts';

const timezone = 'Asia/Ho_Chi_Minh';
const startMs = Date.UTC(2026, 4, 1);

function answerOf(mailboxes: MailDays, nowMs: number, days: number, asked = {}): MailboxProviders {
  const app = { mailboxes, record: { timezone, deleted: false } };
  const decide = mailboxesDecisions['mailboxes.read'] as (...args: unknown[]) => unknown;
  const decided = decide({ apps: new Map([[1, app]]) }, { days, ...asked }, { owner: 1, nowMs });
  const { outcome, reply } = decided as { outcome: string; reply: MailboxProviders };
  if (outcome !== 'accepted') throw new Error(JSON.stringify(decided));
  return reply;
}

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

t.test('figures equal a recount of every mail, also after a checkpoint', async (t) => {
  for (let seed = 1; seed <= tries(20); seed++) {
    const rng = seededRng(seed);
    const pick = <One>(of: readonly One[]) => of[below(rng, of.length)] as One;
    let days = new MailDays();
    const plain = new Map<string, number>();
    let nowMs = startMs;
    for (let turn = 0; turn < 200; turn++) {
      nowMs += below(rng, dayMs);
      const tally = new MailTally();
      for (let i = below(rng, 6); i > 0; i--) {
        const way = {
          group: pick(mailboxGroups),
          domain: pick(['a.test', 'b.test']),
          relay: pick(['server', 'rel_1']),
        };
        const fact = pick(mailFacts);
        tally.count(way, fact, { reason: pick(['deferred', 'mailbox_full']) });
        const day = Math.floor((nowMs + 7 * 3_600_000) / dayMs);
        for (const name of [way.group, way.domain, way.relay]) {
          const key = `${name}|${fact}|${day}`;
          plain.set(key, (plain.get(key) ?? 0) + 1);
        }
      }
      const entries = tally.entries(
        { record: { timezone } as never, mailboxes: days },
        { owner: 1 as never, nowMs },
      );
      for (const entry of entries) days.fold(entry);
      if (below(rng, 20) === 0) days = MailDays.restore(structuredClone(days.snapshot()));
    }
    const { days: numbers, providers, domains, relays } = answerOf(days, nowMs, 90);
    t.equal(numbers.at(-1), mailDay(timezone, nowMs));
    const rows = [
      ...providers.map(({ group, counts }) => [group, counts] as const),
      ...domains.map(({ domain, counts }) => [domain, counts] as const),
      ...relays.map(({ relay, counts }) => [relay, counts] as const),
    ];
    let wrong = 0;
    for (const [name, counts] of rows)
      for (const fact of mailFacts)
        counts[fact].forEach((count, i) => {
          if (count !== (plain.get(`${name}|${fact}|${numbers[i]}`) ?? 0)) wrong++;
        });
    t.equal(wrong, 0, `seed ${seed}`);
    const kept = [...plain].filter(([key]) => Number(key.split('|')[2]) >= (numbers[0] ?? 0));
    t.equal(
      rows.reduce((all, [, counts]) => all + mailFacts.reduce((n, f) => n + sum(counts[f]), 0), 0),
      kept.reduce((all, [, count]) => all + count, 0),
    );
  }
});

const entryOf = (day: number, more: Partial<MailboxesEntry>): MailboxesEntry => ({
  kind: 'mail.counted',
  owner: 1 as never,
  atMs: day * dayMs,
  day,
  ways: [],
  ...more,
});

t.test('an answer can be of one sender or one relay', async (t) => {
  const days = new MailDays();
  const nowMs = 20_000 * dayMs;
  days.fold(
    entryOf(20_000, {
      ways: [
        ['gmail', 'a.test', 'server', { sent: 3 }],
        ['gmail', 'b.test', 'rel_1', { sent: 4 }],
      ],
    }),
  );
  t.match(answerOf(days, nowMs, 1, { domain: 'a.test' }).providers, [{ counts: { sent: [3] } }]);
  t.match(answerOf(days, nowMs, 1, { relay: 'rel_1' }).domains, [
    { domain: 'b.test', counts: { sent: [4] } },
  ]);
  t.same(answerOf(days, nowMs, 1, { relay: 'rel_2' }).providers, []);
});

t.test(
  'a thousand senders, relays, reasons and days stay within bounds, and sums whole',
  async (t) => {
    const days = new MailDays();
    for (let i = 0; i < 1_000; i++)
      days.fold(
        entryOf(20_000, {
          ways: [['yahoo', `${i}.test`, `rel_${i}`, { sent: 1 }]],
          reasons: [
            {
              group: 'yahoo',
              fact: 'deferred',
              reason: `r${i}`,
              detail: 'x'.repeat(900),
              count: 1,
            },
          ],
          hosted: [[i * 7, 'zoho']],
        }),
      );
    const answer = answerOf(days, 20_000 * dayMs, 1);
    t.match(answer.providers, [{ group: 'yahoo', counts: { sent: [1_000] } }]);
    t.equal(answer.domains.length, 21);
    t.equal(answer.domains.at(-1)?.domain, null);
    t.equal(sum(answer.domains.map(({ counts }) => sum(counts.sent))), 1_000);
    t.equal(sum(answer.relays.map(({ counts }) => sum(counts.sent))), 1_000);
    t.equal(answer.providers[0]?.reasons.length, 5);
    for (let day = 0; day < 1_000; day++)
      days.fold(entryOf(20_001 + day, { ways: [['qq', '', 'server', { sent: 1 }]] }));
    t.equal(days.snapshot().days.length, 91);
    t.ok(JSON.stringify(days.snapshot()).length < 100_000);
    for (let i = 0; i < 9_000; i++) days.fold(entryOf(21_000, { hosted: [[i, 'zoho']] }));
    t.equal(days.snapshot().hosted.length, 4_096);
    t.equal(days.groupOfHosted(8_999), 'zoho');
    t.equal(days.groupOfHosted(1), undefined);
  },
);

t.test('a reason keeps its newest words and counts over days', async (t) => {
  const days = new MailDays();
  for (const [day, detail] of [
    [20_000, 'first'],
    [20_001, 'later'],
  ] as const)
    days.fold(
      entryOf(day, {
        ways: [['yahoo', '', 'server', { deferred: 2 }]],
        reasons: [{ group: 'yahoo', fact: 'deferred', reason: 'deferred', detail, count: 2 }],
      }),
    );
  t.match(answerOf(days, 20_001 * dayMs, 7).providers[0]?.reasons, [
    { fact: 'deferred', reason: 'deferred', detail: 'later', count: 4, lastAtMs: 20_001 * dayMs },
  ]);
});

t.test('an outcome counts for what the other side said', async (t) => {
  const way = { group: 'gmail', domain: '', relay: 'server' } as const;
  const countsOf = (...outcomes: Parameters<MailTally['outcome']>[1][]) => {
    const tally = new MailTally();
    for (const outcome of outcomes) tally.outcome(way, outcome);
    const context = { owner: 1 as never, nowMs: startMs };
    const [entry] = tally.entries(
      { record: { timezone } as never, mailboxes: new MailDays() },
      context,
    );
    return entry?.ways[0]?.[3];
  };
  const rows = [
    [{ outcome: 'accepted' }, { sent: 1, delivered: 1 }],
    [{ outcome: 'accepted', reports: true } as never, { sent: 1 }],
    [
      { outcome: 'dead', reason: 'mailbox_not_found' },
      { sent: 1, bouncedHard: 1 },
    ],
    [
      { outcome: 'permanent', reason: 'refused' },
      { sent: 1, bouncedSoft: 1 },
    ],
    [{ outcome: 'permanent', reason: 'invalid_content' }, undefined],
    [{ outcome: 'permanent', reason: 'expired' }, undefined],
    [{ outcome: 'retry', reason: 'deferred', detail: '451 4.7.1 Greylisted' }, { deferred: 1 }],
    [{ outcome: 'rate', reason: 'throttled', detail: '550 5.7.0 too many' }, { deferred: 1 }],
    [{ outcome: 'rate', reason: 'throttled', detail: '429 Too Many Requests' }, undefined],
    [{ outcome: 'retry', reason: 'timeout' }, undefined],
    [{ outcome: 'ambiguous', reason: 'timeout' }, undefined],
    [{ outcome: 'config', reason: 'relay_authentication', detail: '535 no' }, undefined],
  ] as const;
  for (const [outcome, counts] of rows) t.same(countsOf(outcome), counts, JSON.stringify(outcome));
});
