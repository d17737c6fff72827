import fc from 'fast-check';
import t from 'tap';
import { findAppId } from '../../../../actors/events/ingest/find-app-id.ts';
import { tries } from '../../../support/tries.ts';
import { anyBody } from '../bodies.ts';

const find = (text: string) => findAppId(Buffer.from(text));

t.test('the appId is found wherever it stands', async (t) => {
  t.equal(find('{"appId":"a","events":[]}'), 'a');
  t.equal(find(' { "appId" : "a" , "events":[]}'), 'a');
  t.equal(find('{"events":[{"x":"}]"}],"appId":"a"}'), 'a');
  t.equal(find('{"events":[{"x":"\\"]}"}],"appId":"a"} \n'), 'a');
  t.equal(find('{"sentAt":"{[\\\\","appId":"a","events":[{}]}'), 'a');
  t.equal(find('{"u":"\\u00e9","events":[[{}]],"appId":"a","z":1}'), 'a');
});

t.test('an appId that is not at the top is not taken', async (t) => {
  t.equal(find('{"events":[{"appId":"a"}]}'), undefined);
  t.equal(find('{"events":[{"appId":"a"}],"appId":"b"}'), 'b');
  t.equal(find('{"appId":"b","events":[{"props":{"appId":"a"}}]}'), 'b');
  t.equal(find('{"events":"\\"appId\\":\\"a\\""}'), undefined);
  t.equal(find('{"events":[],"x":"\\"appId\\":\\"a"}'), undefined);
});

t.test('of several the last counts, as it does for JSON.parse', async (t) => {
  t.equal(find('{"appId":"a","events":[],"appId":"b"}'), 'b');
});

t.test('in doubt there is no answer', async (t) => {
  for (const text of [
    '',
    '{',
    '[]',
    '"appId"',
    '{"appId"',
    '{"appId":',
    '{"appId":"',
    '{"appId":5}',
    '{"appId":""}',
    '{"appId":"a\\u0062"}',
    '{"\\u0061ppId":"b","appId":"a"}',
    '{"appId":"a","\\u0061ppId":"b"}',
    '["appId","a"]',
    'x"appId":"a"}',
  ]) {
    t.equal(find(text), undefined, text);
  }
});

t.test('where there is an answer, JSON.parse has the same', async (t) => {
  let answers = 0;
  fc.assert(
    fc.property(anyBody, (body) => {
      const found = findAppId(body);
      if (found === undefined) return;
      let parsed: unknown;
      try {
        parsed = JSON.parse(body.toString());
      } catch {
        return;
      }
      answers++;
      if ((parsed as { appId?: unknown }).appId !== found) throw new Error(body.toString());
    }),
    { seed: 3, numRuns: tries(20_000) },
  );
  t.ok(answers > tries(3_000), `only ${answers} answers`);
});
