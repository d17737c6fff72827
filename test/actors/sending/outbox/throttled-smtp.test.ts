// A relay that throttles, in real SMTP conversations: one a pause, with the relay's words told.

import t from 'tap';
import { createEmail } from '../../../../actors/channels/email/adapter.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import { secondMs } from '../../../../engine/base/brand.ts';
import { smtpStandIn } from '../../channels/smtp-stand-in.ts';
import { ThrottleScene } from './throttle-scene.ts';

for (const [step, reply] of [
  ['greeting', '421 4.7.28 Our system has detected an unusual rate of unsolicited mail\r\n'],
  ['mail', '421 4.7.0 Try again later, rate limit exceeded\r\n'],
  ['rcpt', '450 4.7.1 Error: too many messages per minute\r\n'],
  ['final', '454 Throttling failure: Maximum sending rate exceeded.\r\n'],
] as const)
  t.test(`${reply.slice(0, 40)} after ${step}`, async (t) => {
    const relay = await smtpStandIn({ [step]: reply });
    const outbound = createOutbound({ allowPrivateNetworks: true });
    t.teardown(async () => {
      await relay.close();
      await outbound.close(0);
    });
    const scene = await ThrottleScene.open(t, {
      channels: ['email'],
      answer: () => ({ outcome: 'accepted' }),
      adapter: (clock) =>
        createEmail({
          config: {
            mode: 'sandbox',
            urls: {},
            smtp: { url: `${relay.url}?connections=4` },
            vapidSubject: 'mailto:a@example.com',
            publicUrl: 'http://127.0.0.1',
          },
          outbound,
          clock,
        }),
    });
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      await scene.person(`user-${i}`, 'email', `user-${i}@example.com`);
      ids.push(await scene.send(`user-${i}`));
    }
    await scene.rest();
    const told = () => relay.connections() + relay.commands.filter(isMail).length;
    const first = told();
    t.ok(first <= 8, `${first} connections and mails until the first refusal is known`);
    await scene.pass(29 * secondMs);
    t.equal(told(), first, 'none within the pause');
    t.match(await scene.channel('email'), {
      state: 'paused',
      because: { reason: String, detail: new RegExp(reply.slice(0, 3)) },
    });
    const conversations = relay.connections();
    const mails = relay.commands.filter(isMail).length;
    await scene.pass(8 * 60 * secondMs);
    const isOne = step === 'greeting' ? relay.connections() - conversations : 0;
    t.equal(
      isOne + relay.commands.filter(isMail).length - mails,
      3,
      'one for each of three pauses',
    );
    relay.meet({});
    await scene.pass(12 * 60 * secondMs);
    const states = await Promise.all(ids.map((id) => scene.statusOf(id)));
    t.same(new Set(states), new Set(['delivered']));
    // The stand-in also keeps what it refuses after the message.
    const refused = step === 'final' ? first - conversations + 3 : 0;
    t.equal(relay.messages.length, ids.length + refused, 'each once');
  });

function isMail(command: string): boolean {
  return command.startsWith('MAIL');
}
