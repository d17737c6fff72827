import t from 'tap';
import {
  bodyOf,
  draftOf,
  emptyDraft,
  isSame,
  patchOf,
  payloadWith,
} from '../../dashboard/screens/messages/draft.ts';
import { starters } from '../../dashboard/screens/messages/starters.ts';

const saved = {
  id: 'msg_1',
  name: 'Spring',
  title: 'Hello',
  body: 'Text',
  buttons: [{ label: 'Open', url: 'https://a.example' }],
  data: { sku: 'a' },
  payload: { voice: { language: 'de' } },
  badgeCount: 0,
  utm: false,
  localizations: { de: { title: 'Hallo' } },
  etag: 'q1Jm0yBvXc7uYd2KfTzR5w',
  createdAt: '2026-11-24T00:00:00Z',
  updatedAt: '2026-11-24T00:00:00Z',
};

t.test('what is saved comes back as it was', async (t) => {
  const { id: _id, etag: _etag, createdAt: _created, updatedAt: _updated, ...body } = saved;
  t.strictSame(bodyOf(draftOf(saved)), body);
  for (const { id, message } of starters) t.strictSame(bodyOf(draftOf(message)), message, id);
});

t.test('a change sends only what differs, and null for what is gone', async (t) => {
  const draft = draftOf(saved);
  t.strictSame(patchOf(draft, saved), {});
  const next = { ...draft, base: { ...draft.base, title: 'Bye', buttons: [] }, languages: [] };
  t.strictSame(patchOf(next, saved), { title: 'Bye', buttons: null, localizations: null });
});

t.test('whether links get campaign parameters is kept, changed and left to the app', async (t) => {
  const draft = draftOf(saved);
  const withUtm = (utm: '' | 'on' | 'off') => ({ ...draft, options: { ...draft.options, utm } });
  t.strictSame(patchOf(withUtm('off'), saved), {});
  t.strictSame(patchOf(withUtm('on'), saved), { utm: true });
  t.strictSame(patchOf(withUtm(''), saved), { utm: null });
});

t.test('empty members are not sent, and a half-typed key is kept in the draft', async (t) => {
  t.strictSame(bodyOf(emptyDraft), {});
  t.strictSame(bodyOf({ ...emptyDraft, data: [['', 'x']] }), {});
});

t.test('the body of a mail of blocks is no change of a person', async (t) => {
  const mail = draftOf({ title: 'Hi', design: { version: 1, blocks: [] } });
  t.ok(isSame(mail, { ...mail, base: { ...mail.base, body: '<p>made</p>' } }));
  t.notOk(isSame(mail, { ...mail, name: 'Other' }));
});

t.test('an emptied member of the payload goes, and its group with it', async (t) => {
  const one = payloadWith({}, 'whatsapp', 'templateName', 'order');
  t.strictSame(one, { whatsapp: { templateName: 'order' } });
  t.strictSame(payloadWith(one, 'whatsapp', 'templateName', ''), {});
  t.strictSame(payloadWith(one, 'zalo', 'params', {}), one);
});
