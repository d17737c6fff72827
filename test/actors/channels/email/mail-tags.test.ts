import t, { type Test } from 'tap';
import { createEmail } from '../../../../actors/channels/email/adapter.ts';
import type { RelayMail } from '../../../../actors/channels/email/relay-mail.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import { providerConfig } from '../http-rig.ts';
import { acceptedMs, anAttempt, fixedClock } from '../stand-ins.ts';

/** What a relay is handed of an attempt. */
async function handed(
  t: Test,
  over: Parameters<typeof anAttempt>[0],
): Promise<RelayMail | undefined> {
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(() => outbound.close(0));
  const mails: RelayMail[] = [];
  const account = {
    send: async (mail: RelayMail) => {
      mails.push(mail);
      return { outcome: 'accepted' } as const;
    },
    check: async () => ({ checked: true, ok: true }) as const,
    close: async () => {},
  };
  const context = { config: providerConfig({}), outbound, clock: fixedClock(acceptedMs) };
  const adapter = createEmail(context, { of: async () => account, close: async () => {} });
  const relay = { id: 'rel_1', kind: 'ses', config: {}, fingerprint: 'f' } as const;
  const attempt = anAttempt({ channel: 'email', endpoint: 'ada@example.net', ...over });
  await adapter.send(attempt, undefined, () => true, relay);
  return mails[0];
}

const envelope = { fromAddress: 'shop@example.com', unsubscribeUrl: 'https://example.com/u' };

t.test('a mail is tagged with what sent it, and with its stream', async (t) => {
  const of = async (over: Parameters<typeof anAttempt>[0]) => {
    const mail = await handed(t, over);
    return { tags: mail?.tags, stream: mail?.stream };
  };
  t.same(await of({ lane: 'express', email: envelope }), {
    tags: { stream: 'transactional' },
    stream: 'transactional',
  });
  t.same(await of({ lane: 'bulk', email: { ...envelope, campaignId: 'cmp_1' } }), {
    tags: { campaign: 'cmp_1', stream: 'marketing' },
    stream: 'marketing',
  });
  t.same(await of({ lane: 'bulk', email: { ...envelope, journeyId: 'jrn_1' } }), {
    tags: { journey: 'jrn_1', stream: 'marketing' },
    stream: 'marketing',
  });
});

t.test('the stream that a step of a journey names comes before that of its lane', async (t) => {
  const email = { ...envelope, journeyId: 'jrn_1' };
  const mail = await handed(t, { lane: 'bulk', stream: 'transactional', email });
  t.match(mail, { tags: { stream: 'transactional' }, stream: 'transactional' });
  const header = mail?.mail.headers.find(([name]) => name === 'Feedback-ID')?.[1] ?? '';
  t.match(header, /^jrn_1:[^:]*:transactional:/, 'and mailbox providers see it');
  t.ok(
    mail?.mail.headers.some(([name]) => name === 'List-Unsubscribe'),
    'its reader may still unsubscribe by one click',
  );
});
