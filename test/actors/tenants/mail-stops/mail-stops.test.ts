// A person's stop holds until they lift it, a bounce's for a week; a checkpoint keeps both, and has
// nothing of them while there are none.

import t from 'tap';
import { mailStopsArea } from '../../../../actors/tenants/mail-stops/area.ts';
import { mailStopsOfPartition } from '../../../../actors/tenants/mail-stops/memory.ts';
import type { MailStopReason } from '../../../../actors/tenants/mail-stops/records.ts';

const dayMs = 86_400_000;

function scene() {
  let memory = mailStopsOfPartition.make({});
  const decisions = mailStopsArea.decide();
  const applies = mailStopsArea.apply;
  return {
    set(reason: MailStopReason | undefined, nowMs: number) {
      const message = { kind: 'mail_stop.set', by: -1, hash: 'h', reason } as const;
      const decided = decisions['mail_stop.set'](memory, message, { owner: 7, nowMs } as never);
      const entries = decided.outcome === 'accepted' ? (decided.entries ?? []) : [];
      for (const entry of entries)
        applies[entry.kind as keyof typeof applies](memory, entry as never);
      return entries.length;
    },
    isSet(nowMs: number) {
      const message = { kind: 'mail_stop.is_set', by: -1, hash: 'h' } as const;
      const decided = decisions['mail_stop.is_set'](memory, message, { nowMs } as never);
      return decided.outcome === 'accepted' && decided.reply;
    },
    snapshot: () => mailStopsOfPartition.snapshot(memory),
    reopen() {
      const kept = JSON.parse(JSON.stringify(mailStopsOfPartition.snapshot(memory)));
      memory = mailStopsOfPartition.restore(kept, {} as never);
    },
  };
}

t.test('a person stops them for good, and lifts it', async (t) => {
  const { set, isSet, reopen, snapshot } = scene();
  t.same(snapshot(), {}, 'nothing while there is none');
  t.equal(isSet(0), false);
  t.equal(set(undefined, 1), 0, 'nothing to lift');
  set('person', 1);
  t.equal(set('person', 2), 0, 'repeating writes nothing');
  t.equal(set('bounce', 3), 0, 'a bounce says less');
  reopen();
  t.equal(isSet(1_000 * dayMs), true);
  set(undefined, 4);
  t.equal(isSet(5), false);
  t.same(snapshot(), {});
});

t.test('a bounce stops them for a week, and a person’s word outlives it', async (t) => {
  const { set, isSet } = scene();
  set('bounce', 0);
  t.same([isSet(7 * dayMs - 1), isSet(7 * dayMs)], [true, false]);
  set('bounce', 8 * dayMs);
  t.equal(isSet(9 * dayMs), true, 'it came back again');
  set('person', 9 * dayMs);
  t.equal(isSet(100 * dayMs), true);
});
