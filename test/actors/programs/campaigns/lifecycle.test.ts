import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import {
  allowedIn,
  campaignVerbs,
  transition,
} from '../../../../actors/programs/campaigns/lifecycle.ts';
import {
  type CampaignState,
  campaignStates,
} from '../../../../actors/programs/campaigns/records.ts';
import { fileAt } from '../../../support/places.ts';

const nowMs = Date.UTC(2026, 5, 1);
const schedule = { type: 'now' } as const;

/**
 * The whole table again, in the words of the contract and the order of the verbs; `no` is a 409.
 */
const table: Readonly<Record<CampaignState, readonly string[]>> = {
  draft: ['sending', 'no', 'no', 'no', 'canceled', 'draft', 'draft', 'gone'],
  scheduled: ['no', 'draft', 'paused', 'no', 'canceled', 'no', 'no', 'no'],
  sending: ['no', 'no', 'paused', 'no', 'canceled', 'no', 'no', 'no'],
  paused: ['no', 'no', 'no', 'sending', 'canceled', 'no', 'no', 'no'],
  completed: ['no', 'no', 'no', 'no', 'no', 'no', 'completed', 'gone'],
  canceled: ['no', 'no', 'no', 'no', 'canceled', 'no', 'canceled', 'gone'],
  failed: ['no', 'no', 'no', 'no', 'no', 'no', 'failed', 'gone'],
};

t.test('every verb in every state leads where the contract says, or is a conflict', async (t) => {
  for (const state of campaignStates) {
    t.equal(table[state].length, campaignVerbs.length);
    for (const [i, verb] of campaignVerbs.entries()) {
      const after = transition({ state, schedule }, verb, nowMs);
      t.equal('to' in after ? after.to : 'no', table[state][i], `${verb} of ${state}`);
    }
  }
});

t.test('a refusal says the state and all that is allowed in it, and nothing else', async (t) => {
  for (const state of campaignStates) {
    for (const verb of campaignVerbs) {
      const after = transition({ state, schedule }, verb, nowMs);
      if ('to' in after) continue;
      const { code, message } = after.fault;
      t.equal(code, 'wrong_state');
      t.match(message, new RegExp(`^this campaign is (a )?${state}; it cannot be `));
      const allowed = message.slice(message.indexOf('this state: ') + 12).split(', ');
      t.same(allowed, allowedIn({ state, schedule }));
      for (const other of campaignVerbs)
        t.equal(
          allowed.includes(other),
          'to' in transition({ state, schedule }, other, nowMs),
          `${other} of ${state}`,
        );
    }
  }
  const completed = transition({ state: 'completed', schedule }, 'pause', nowMs);
  t.match(completed, {
    fault: {
      message:
        'this campaign is completed; it cannot be paused. Allowed in this state: archive, delete',
    },
  });
});

t.test('a send is scheduled while its instant lies ahead, or where it recurs', async (t) => {
  const first = (schedule: Parameters<typeof transition>[0]['schedule']) =>
    transition({ state: 'draft', schedule }, 'send', nowMs);
  t.same(first({ type: 'at', atMs: nowMs + 1 }), { to: 'scheduled' });
  t.same(first({ type: 'at', atMs: nowMs }), { to: 'sending' });
  t.same(first({ type: 'at', atMs: nowMs - 1 }), { to: 'sending' });
  t.same(first({ type: 'now' }), { to: 'sending' });
  const recurring = { type: 'recurring', every: 'day', at: '09:00', timezone: 'UTC' } as const;
  t.same(first(recurring), { to: 'scheduled' });
});

t.test('a campaign that recurs is changed and unscheduled between occurrences only', async (t) => {
  const schedule = { type: 'recurring', every: 'day', at: '09:00', timezone: 'UTC' } as const;
  for (const state of ['scheduled', 'sending', 'paused'] as const) {
    const of = (verb: 'change' | 'unschedule', isUnderWay: boolean) =>
      transition({ state, schedule, isUnderWay }, verb, nowMs);
    t.same(of('change', false), { to: state });
    t.same(of('unschedule', false), { to: 'draft' });
    if (state === 'scheduled') continue;
    for (const verb of ['change', 'unschedule'] as const)
      t.match(of(verb, true), {
        fault: {
          message: /cannot be (changed|unscheduled) until its current occurrence has ended/,
        },
      });
  }
  const held = { state: 'paused', pausedFrom: 'scheduled', schedule: { type: 'now' } } as const;
  t.same(transition(held, 'unschedule', nowMs), { to: 'draft' }, 'nothing of it has begun');
});

t.test('an archived draft is not sent', async (t) => {
  const put = { state: 'draft', schedule, archivedMs: 1 } as const;
  t.match(transition(put, 'send', nowMs), { fault: { message: /unarchive it before you send/ } });
});

t.test('any run of pauses and resumes leads back to where it began', async (t) => {
  const state = fc.constantFrom('scheduled' as const, 'sending' as const);
  fc.assert(
    fc.property(state, fc.nat({ max: 20 }), (begun, times) => {
      let state: CampaignState = begun;
      for (let i = 0; i < times; i++) {
        const paused = transition({ state, schedule }, 'pause', nowMs);
        if (!('to' in paused) || paused.to !== 'paused') return false;
        const pausedFrom = begun;
        const back = transition({ state: paused.to, pausedFrom, schedule }, 'resume', nowMs);
        if (!('to' in back) || back.to === 'gone') return false;
        state = back.to;
      }
      return state === begun;
    }),
  );
  t.pass();
});

t.test('the table in docs/STATES.md is the one in the code', async (t) => {
  const page = readFileSync(fileAt('docs/STATES.md'), 'utf8');
  for (const state of campaignStates) {
    const line = page.split('\n').find((line) => line.startsWith(`| \`${state}\` |`)) ?? '';
    const [, , ...cells] = line.split('|').map((cell) => cell.trim());
    for (const [i, verb] of campaignVerbs.entries()) {
      const isAllowed = 'to' in transition({ state, schedule }, verb, nowMs);
      t.equal(cells[i]?.startsWith('409'), !isAllowed, `${verb} of ${state}: ${cells[i]}`);
    }
  }
});
