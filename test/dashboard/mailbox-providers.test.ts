// The report on mailbox providers says the gravest first; a sender domain shows what receivers
// report. By desk and by phone, in both schemes.

import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t from 'tap';
import { mailboxTrouble } from '../../dashboard/screens/insights/mailbox-trouble.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';
import { dmarcAnswer, mailboxAnswer } from './support/mailbox-answers.ts';

type Rows = Parameters<typeof mailboxTrouble>[0];

const rowOf = (provider: string, total: object, reasons: readonly object[] = []) =>
  ({
    provider,
    total: {
      ...{ sent: 1_000, delivered: 1_000, deferred: 0, bouncedHard: 0, bouncedSoft: 0 },
      ...{ complained: 0, openedByPeople: 0, openedByMachines: 0, clicked: 0 },
      ...total,
    },
    daily: {},
    reasons,
  }) as unknown as Rows[number];

t.test('the sentence names the gravest, and few mails say nothing', async (t) => {
  const why = [{ figure: 'deferred', reason: 'mailbox_full', detail: null, count: 1, lastAt: '' }];
  const rows: [Rows, RegExp, boolean][] = [
    [[rowOf('gmail', {})], /^No mailbox provider holds back/, false],
    [[rowOf('gmail', { sent: 3, delivered: 0, bouncedSoft: 3 })], /too few/, false],
    [[rowOf('yahoo', { deferred: 500 }, why)], /^Yahoo deferred 33.* Most often: .*full/, true],
    [
      [rowOf('yahoo', { deferred: 150 }), rowOf('gmail', { complained: 9 })],
      /^People at Gmail reported/,
      true,
    ],
    [[rowOf('qq', { bouncedHard: 40, bouncedSoft: 40 })], /^QQ Mail refused 8/, true],
  ];
  for (const [from, text, isBad] of rows) {
    const told = mailboxTrouble(from);
    t.match(told.text, text);
    t.equal(told.isBad, isBad);
  }
});

/** Kept beside other pictures if somebody asks for them. */
async function draw(page: Page, name: string): Promise<void> {
  const folder = process.env['ENGAGE_TEST_DRAW'];
  if (folder !== undefined)
    writeFileSync(`${folder}/${name}.png`, await page.screenshot({ fullPage: true }));
}

t.test('both show on a desk and on a phone, in both schemes', needsBrowser, async (t) => {
  const place = await workplace(t);
  await place.call('POST', `/v1/apps/${place.appId}/email-domains`, {
    domain: 'news.acme.example',
  });
  const relay = (await place.call('POST', `/v1/apps/${place.appId}/relays`, {
    ...{ name: 'Receipts', kind: 'smtp', config: { host: 'mail.acme.example' } },
  })) as { readonly id: string };
  const views = [
    [{ scheme: 'light' }, 'desk'],
    [{ scheme: 'dark', size: phone }, 'phone'],
  ] as const;
  for (const [view, name] of views) {
    const empty = await place.open('insights?tab=mailboxes', view);
    await empty.getByText('No emails in this range').waitFor();
    await empty.route(/\/v1\/insights\/mailbox-providers/, (route) =>
      route.fulfill({ json: mailboxAnswer(relay.id, 'rel_gone') }),
    );
    await empty.reload();
    await empty.getByText(/^Yahoo deferred 38/).waitFor();
    await empty.getByText(/TSS04/).waitFor();
    await empty.getByRole('rowheader', { name: 'Receipts' }).waitFor();
    await empty.getByRole('rowheader', { name: 'Removed relay rel_gone' }).waitFor();
    t.strictSame(await axeFindings(empty), []);
    await draw(empty, `mailboxes-${name}`);

    const domain = await place.open('channels/email', view);
    await domain.route(/\/v1\/.*dmarc-reports/, (route) => route.fulfill({ json: dmarcAnswer() }));
    await domain.getByRole('button', { name: 'Show DMARC reports of news.acme.example' }).click();
    await domain.getByText(/98.* passed DMARC/).waitFor();
    const last = await domain.getByText(/Rejected$/).boundingBox();
    const width = domain.viewportSize()?.width ?? 0;
    t.ok(last !== null && last.x + last.width < width, 'nobody has to move it sideways');
    t.strictSame(await axeFindings(domain), []);
    await draw(domain, `dmarc-${name}`);
  }
});
