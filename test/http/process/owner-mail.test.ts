import t from 'tap';
import type { PlatformMail } from '../../../actors/channels/email/platform-mail.ts';
import type { IntegrationDisabled } from '../../../actors/integrations/webhooks/protocol.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { OwnerMail } from '../../../http/process/owner-mail.ts';
import { testClock } from '../../support/partition.ts';

const notice: IntegrationDisabled = {
  kind: 'integration.disabled',
  org: 7,
  appId: 'app_1',
  type: 'webhook-crm',
};

/** A server whose org 7 has these members, and the mails that leave it. */
function scene(
  members: readonly { readonly email: string; readonly role: string; readonly isOpen?: true }[],
  isStopped = false,
) {
  const mails: PlatformMail[] = [];
  const asked: Message[] = [];
  const clock = testClock();
  const edge = {
    clock,
    config: { publicUrl: 'https://engage.example/' },
    router: {
      ask: async (_to: number, message: Message) => {
        if (message.kind === 'mail_stop.is_set') return { ok: true as const, value: isStopped };
        asked.push(message);
        return { ok: true as const, value: { items: members, nextCursor: null, total: 0 } };
      },
    },
  };
  const mailer = {
    send: async (mail: PlatformMail) => {
      mails.push(mail);
      return 'accepted' as const;
    },
    close: async () => {},
  };
  const warnings: object[] = [];
  const log = { warn: (fields: object) => void warnings.push(fields) };
  const owners = new OwnerMail(edge, log as never, async () => mailer);
  const tell = async (org = 7) => {
    owners.tell({ ...notice, org });
    for (let i = 0; i < 200; i++) await Promise.resolve();
  };
  return { mails, asked, clock, warnings, tell, owners };
}

t.test('owners are mailed what was switched off, and where to switch it on', async (t) => {
  const { mails, tell, warnings } = scene([
    { email: 'ada@acme.example', role: 'owner' },
    { email: 'eve@acme.example', role: 'editor' },
    { email: 'bob@acme.example', role: 'owner' },
  ]);
  await tell();
  t.same(
    mails.map(({ to }) => to),
    ['ada@acme.example', 'bob@acme.example'],
  );
  t.match(mails[0]?.text, 'https://engage.example/dashboard/app_1/integrations/webhook-crm');
  t.match(mails[0]?.subject, 'webhook-crm');
  t.match(warnings, [{ evt: 'webhook.switched_off', app: 'app_1', type: 'webhook-crm' }]);
});

t.test('an org gets three such mails a day, and another its own', async (t) => {
  const { mails, tell, clock } = scene([{ email: 'ada@acme.example', role: 'owner' }]);
  for (let i = 0; i < 10; i++) await tell();
  t.equal(mails.length, 3);
  await tell(8);
  t.equal(mails.length, 4);
  clock.nowMs += 86_400_000;
  await tell();
  t.equal(mails.length, 5);
});

t.test('at most ten owners are mailed', async (t) => {
  const many = Array.from({ length: 30 }, (_, i) => ({ email: `o${i}@a.example`, role: 'owner' }));
  const { mails, tell } = scene(many);
  await tell();
  t.equal(mails.length, 10);
});

t.test('owners are mailed which campaign has paused itself, and why', async (t) => {
  const { mails, owners } = scene([{ email: 'ada@acme.example', role: 'owner' }]);
  owners.tell({
    kind: 'campaign.guarded',
    org: 7,
    appId: 'app_1',
    campaignId: 'cmp_1',
    text: '31 of the latest 100 emails bounced; remove them, then resume it',
  });
  for (let i = 0; i < 200; i++) await Promise.resolve();
  t.match(mails, [{ to: 'ada@acme.example', subject: 'A campaign paused automatically' }]);
  t.match(mails[0]?.text, 'has paused itself: 31 of the latest 100 emails bounced');
  t.match(mails[0]?.text, 'https://engage.example/dashboard/app_1/campaigns/cmp_1');
});

t.test('who never signed in, or wants no mails, gets none', async (t) => {
  const invited = scene([
    { email: 'stranger@a.example', role: 'owner', isOpen: true },
    { email: 'ada@acme.example', role: 'owner' },
  ]);
  await invited.tell();
  t.same(
    invited.mails.map(({ to }) => to),
    ['ada@acme.example'],
  );
  const stopped = scene([{ email: 'ada@acme.example', role: 'owner' }], true);
  await stopped.tell();
  t.same(stopped.mails, []);
});
