// Rules and names: which one plays, how often, and what it does to a call.

import t from 'tap';
import { chooseFault, FaultRules, type FaultSource } from '../../sandbox/faults.ts';

const faultRulesMax = 100;

const source: FaultSource<string> = {
  channel: 'fcm',
  namedFaults: [
    {
      prefix: 'quota',
      says: '',
      effect: (seconds) => ({ kind: 'reply', reply: `429 after ${seconds ?? 'default'}` }),
    },
    { prefix: 'maybe', says: '', effect: () => undefined },
  ],
  refusal: (status, retryAfter) => `${status} ${retryAfter ?? ''}`.trim(),
};

const choose = (rules: FaultRules, to: string) => chooseFault(source, rules, to, to)?.effect;

t.test('names choose by prefix in any case, with the number that follows', async (test) => {
  const rules = new FaultRules();
  test.same(choose(rules, 'quota'), { kind: 'reply', reply: '429 after default' });
  test.same(choose(rules, 'QUOTA12-x'), { kind: 'reply', reply: '429 after 12' });
  test.same(choose(rules, 'slow'), { kind: 'slow', delayMs: 2000 });
  test.same(choose(rules, 'slow5'), { kind: 'slow', delayMs: 5 });
  test.same(choose(rules, 'slow999999'), { kind: 'slow', delayMs: 60_000 });
  test.same(choose(rules, 'hang'), { kind: 'hang' });
  test.same(choose(rules, 'drop'), { kind: 'drop' });
  test.equal(choose(rules, 'maybe'), undefined);
  test.equal(choose(rules, 'my-quota'), undefined);
});

t.test('a rule wins over a name, the newest over older ones, until it is used up', async (test) => {
  const rules = new FaultRules();
  rules.add({ channel: '*', match: '*', fault: 'hang' });
  const newest = rules.add({
    channel: 'fcm',
    match: 'Ada',
    fault: 'status',
    value: 503,
    retryAfterSeconds: 7,
    count: 2,
  });
  test.same(choose(rules, 'quota-of-ada'), { kind: 'reply', reply: '503 7' });
  test.equal(rules.list()[0]?.hits, 1);
  test.same(choose(rules, 'ada'), { kind: 'reply', reply: '503 7' });
  test.same(choose(rules, 'ada'), { kind: 'hang' }, 'used up');
  test.equal(rules.remove(newest.id), false);
  rules.clear();
  test.equal(choose(rules, 'ada'), undefined);
});

t.test('rules of another channel stay out of it', async (test) => {
  const rules = new FaultRules();
  rules.add({ channel: 'email', match: '*', fault: 'drop' });
  test.equal(choose(rules, 'ada'), undefined);
});

t.test('an exact match is for that text only', async (test) => {
  const rules = new FaultRules();
  rules.add({ channel: 'email', match: '*', fault: 'drop' });
  test.equal(rules.takeExactly('email', '(greeting)'), undefined);
  rules.add({ channel: 'email', match: '(greeting)', fault: 'status', value: 421, count: 1 });
  test.equal(rules.takeExactly('email', '(greeting)')?.value, 421);
  test.equal(rules.takeExactly('email', '(greeting)'), undefined);
});

t.test('the number of rules is bounded', async (test) => {
  const rules = new FaultRules();
  for (let i = 0; i < faultRulesMax + 5; i++)
    rules.add({ channel: 'fcm', match: `r${i}`, fault: 'hang' });
  test.equal(rules.list().length, faultRulesMax);
  test.equal(rules.list()[0]?.match, `r${faultRulesMax + 4}`);
});
