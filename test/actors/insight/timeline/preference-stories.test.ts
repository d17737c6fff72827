import t from 'tap';
import { isServiceName } from '../../../../actors/events/ingest/names.ts';
import { type PersonEvent, storyOfEvent } from '../../../../actors/insight/timeline/event-story.ts';
import { sentenceOf } from '../../../../actors/insight/timeline/sentences.ts';

const told = (name: string, props: object) => {
  const none = { channel: null, deviceId: null, sendId: null, campaignId: null };
  const event = { id: 'e', name, receivedMs: 5, props, meta: null, journeyId: null, ...none };
  return storyOfEvent({ ...event, messageId: null, atMs: 5 } as unknown as PersonEvent, 9);
};

t.test('a change of preferences says what was chosen, and where', async (t) => {
  const story = told('preferences_changed', {
    topics: {
      news: { from: null, to: 'in' },
      offers: { from: 'in', to: 'out' },
      tips: { from: 'out', to: 'pending' },
      old: { from: 'in', to: null },
    },
    channels: { from: null, to: ['email'] },
    timezone: { from: null, to: 'Asia/Bangkok' },
    source: 'page',
  });
  t.match(story, {
    kind: 'event',
    code: 'preferences_changed',
    atMs: 5,
    source: 'page',
    choices: { news: 'in', offers: 'out', tips: 'pending', old: null },
    changed: ['channels', 'timezone'],
  });
  t.equal(
    sentenceOf(story),
    'The person\'s preferences changed on the preferences page. They are now in "news", out of "offers", not confirmed yet in "tips", without a choice of "old". Also changed: the preferred channels and the time zone.',
  );
  t.equal(
    sentenceOf(
      told('preferences_changed', { topics: { news: { to: 'out' } }, source: 'unsubscribe' }),
    ),
    'The person\'s preferences changed through the unsubscribe link in an email. They are now out of "news".',
  );
});

t.test('a confirmation names its topics', async (t) => {
  const props = { address: 'a@example.com', topics: ['news', 'tips'], sentences: ['Yes.'] };
  const story = told('opt_in_confirmed', props);
  t.match(story, { code: 'opt_in_confirmed', choices: { news: 'in', tips: 'in' } });
  t.equal(
    sentenceOf(story),
    'The person confirmed their email address. They are now in "news" and "tips".',
  );
  t.equal(
    sentenceOf(told('opt_in_confirmed', { address: 'a@example.com' })),
    'The person confirmed their email address.',
  );
});

t.test('no client can say that somebody has confirmed or chosen', async (t) => {
  for (const name of ['opt_in_confirmed', 'preferences_changed']) t.ok(isServiceName(name));
});

t.test('props of another form are no story of their own', async (t) => {
  for (const props of [null, 'x', { topics: 7 }, { topics: { news: 'out' } }])
    t.type(sentenceOf(told('preferences_changed', props as never)), 'string');
});
