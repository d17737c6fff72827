// Journeys in a browser: from a starter to live, by the keyboard; a live one and its copy.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

interface Journey {
  readonly id: string;
  readonly active: boolean;
  readonly steps: readonly { readonly id: string; readonly type: string }[];
}

const hello = { id: 'Hello', type: 'send', message: { title: 'Hello', body: 'Hi' } };
const wait = { id: 'A day', type: 'wait', days: 1 };

t.test(
  'a starter is changed by the keyboard, saves itself and goes live',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const page = await place.open('journeys');
    await page.getByRole('button', { name: 'Use template Welcome' }).click();
    const tree = page.getByRole('tree', { name: 'Steps' });
    await tree.getByRole('treeitem', { name: /^Hello/ }).click();
    t.equal(await page.getByLabel('Name').inputValue(), 'Hello');
    await tree.getByRole('treeitem', { name: /^Hello/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('a');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Wait Pause/ })
      .click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const list = (await place.call('GET', `/v1/apps/${place.appId}/journeys`)) as {
      readonly items: readonly Journey[];
    };
    const ids = list.items[0]?.steps.map(({ id }) => id);
    t.strictSame(ids, ['Hello', 'A day later', 'Wait', 'Came back?']);
    t.strictSame(await axeFindings(page), []);

    await tree.getByRole('treeitem', { name: /^Wait/ }).focus();
    await page.keyboard.press('Control+z');
    await tree.getByRole('treeitem', { name: /^Wait/ }).waitFor({ state: 'detached' });
    await page.getByText('Saved', { exact: true }).waitFor();

    await tree.getByRole('treeitem', { name: /^A day later/ }).click();
    await page.getByLabel('Wait for').waitFor();
    await page.getByLabel('Note').fill('Two hours were too soon.');
    await tree.getByText('Two hours were too soon.').waitFor();
    await page.getByLabel('Wait for').fill('2');
    await page.getByText('Saved', { exact: true }).waitFor();
    const { steps } = (await place.call(
      'GET',
      `/v1/apps/${place.appId}/journeys/${list.items[0]?.id}`,
    )) as Journey;
    t.match(steps[1], { days: 2, note: 'Two hours were too soon.' });

    await page.getByRole('tab', { name: 'Test run' }).click();
    await page.getByRole('button', { name: 'Start the test run' }).click();
    await page.getByText('The person reaches the end.').waitFor();

    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByText('This journey is live, so its steps').waitFor();
    t.strictSame(await axeFindings(page), []);
  },
);

t.test(
  'what the server refuses stands at its step, and nothing is lost',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const made = (await place.call('POST', `/v1/apps/${place.appId}/journeys`, {
      name: 'Welcome',
      triggerEvent: 'signup',
      steps: [hello, wait],
    })) as Journey;
    const page = await place.open(`journeys/${made.id}?panel=step&step=A%20day`, {
      expects: /400/,
    });
    await page.getByLabel('Wait for').fill('99');
    await page
      .getByText(/whole number from 1 to/)
      .first()
      .waitFor();
    await page.getByText('Kept in this browser').waitFor();
    await page.reload();
    await page.getByText('These are your earlier changes, which were not saved.').waitFor();
    t.equal(await page.getByLabel('Wait for').inputValue(), '99');
    await page.getByRole('button', { name: 'Discard them' }).click();
    t.equal(await page.getByLabel('Wait for').inputValue(), '1');
  },
);

t.test(
  'a copy of a live journey shows its difference and takes its place',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const path = `/v1/apps/${place.appId}/journeys`;
    const made = (await place.call('POST', path, {
      name: 'Welcome',
      triggerEvent: 'signup',
      steps: [hello, wait],
    })) as Journey;
    await place.call('PATCH', `${path}/${made.id}`, { active: true });
    const page = await place.open(`journeys/${made.id}`);
    await page.getByRole('button', { name: 'Duplicate to edit' }).click();
    await page.getByText('Not live').waitFor();
    await page.getByRole('treeitem', { name: /^A day/ }).focus();
    await page.keyboard.press('Delete');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Start' }).click();
    await page.getByText('Removed').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The journey is live.').waitFor();
    const first = (await place.call('GET', `${path}/${made.id}`)) as Journey;
    t.match(first, { active: false, replacedBy: /^jrn_/ }, 'by the call that activated the copy');
    await page.goto(`${page.url().split('/journeys')[0]}/journeys/${made.id}`);
    await page.getByRole('link', { name: 'Replaced by “Copy of Welcome”' }).waitFor();
  },
);

t.test('a journey that is opened again says what is doubtful about it', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = (await place.call('POST', `/v1/apps/${place.appId}/journeys`, {
    ...{ name: 'Welcome', triggerEvent: 'signup', reEntry: 'always', steps: [hello, wait] },
  })) as Journey;
  const page = await place.open(`journeys/${made.id}`);
  await page.getByText('A field may be misspelled').waitFor();
  await page.getByText('unknown; did you mean reentry?').waitFor();
  t.strictSame(await axeFindings(page), []);
});

t.test('selected journeys are archived together, when none is live', needsBrowser, async (t) => {
  const place = await workplace(t);
  const path = `/v1/apps/${place.appId}/journeys`;
  const start = { triggerEvent: 'signup', steps: [hello, wait] };
  for (const name of ['First', 'Second']) await place.call('POST', path, { name, ...start });
  const live = (await place.call('POST', path, { name: 'Running', ...start })) as Journey;
  await place.call('PATCH', `${path}/${live.id}`, { active: true });
  const page = await place.open('journeys');
  const toggle = (name: string) =>
    page.getByRole('row').filter({ hasText: name }).getByLabel('Select').click();
  for (const name of ['First', 'Second', 'Running']) await toggle(name);
  const archive = page.getByRole('button', { name: 'Archive' });
  t.equal(await archive.getAttribute('aria-disabled'), 'true', 'while one of them is live');
  t.strictSame(await axeFindings(page), []);
  await toggle('Running');
  await archive.click();
  await page.getByText('2 journeys archived.').waitFor();
  await page.getByRole('link', { name: 'First' }).waitFor({ state: 'detached' });
  t.equal(await page.getByRole('link', { name: 'Running' }).count(), 1);
});

t.test('a journey is archived, rests, and is taken back', needsBrowser, async (t) => {
  const place = await workplace(t);
  const path = `/v1/apps/${place.appId}/journeys`;
  const start = { triggerEvent: 'signup', steps: [hello, wait] };
  const made = (await place.call('POST', path, { name: 'Welcome', ...start })) as Journey;
  await place.call('POST', path, { name: 'Other', ...start });
  await place.call('PATCH', `${path}/${made.id}`, { active: true });
  const page = await place.open(`journeys/${made.id}`);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    return page.getByRole('menuitem', { name });
  };
  const refused = await choose('Archive');
  t.equal(await refused.getAttribute('aria-disabled'), 'true', 'while it is live');
  await page.keyboard.press('Escape');
  await place.call('PATCH', `${path}/${made.id}`, { active: false });
  await page.reload();
  await (await choose('Archive')).click();
  await page.getByText('“Welcome” is archived.').waitFor();
  await page.getByText('This journey is archived. Unarchive it').waitFor();
  const activate = page.getByRole('button', { name: 'Activate' });
  t.equal(await activate.getAttribute('aria-disabled'), 'true');
  t.equal(await page.getByLabel('Name').count(), 0, 'its name is no field');
  t.strictSame(await axeFindings(page), []);

  await page.getByRole('link', { name: 'Journeys' }).first().click();
  await page.getByRole('link', { name: 'Other' }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Welcome' }).count(), 0);
  await page.getByRole('tab', { name: 'Archived' }).click();
  await page.getByRole('link', { name: 'Welcome' }).click();
  await page.locator('.journey-notes').getByRole('button', { name: 'Unarchive' }).click();
  await page.getByText('“Welcome” is unarchived.').waitFor();
  await page.getByLabel('Name').waitFor();
  t.match(await place.call('GET', `${path}/${made.id}`), { archivedAt: null });
});

t.test('a clicked card takes the keys, which walk the steps', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = (await place.call('POST', `/v1/apps/${place.appId}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signup',
    steps: [hello, wait],
  })) as Journey;
  const page = await place.open(`journeys/${made.id}`);
  await page
    .getByLabel('Canvas')
    .getByRole('button', { name: /^Hello/ })
    .click();
  await page.locator('[role=treeitem]:focus', { hasText: 'Hello' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('[role=treeitem]:focus', { hasText: 'A day' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('input:focus').waitFor();
  t.equal(await page.locator('input:focus').inputValue(), 'A day');
});

t.test('the keys go on in a step that was added by them', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = (await place.call('POST', `/v1/apps/${place.appId}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signup',
    steps: [hello, wait],
  })) as Journey;
  const page = await place.open(`journeys/${made.id}`);
  const rows = page.getByRole('treeitem');
  const focused = page.locator('[data-panel] input:focus');
  await page.getByRole('treeitem', { name: /^Hello/ }).focus();
  await page.keyboard.press('a');
  await page.locator('.add-choice:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[role=treeitem]:focus', { hasText: 'Hello' }).waitFor();
  for (const way of ['a', 'button']) {
    const before = await rows.count();
    await page.getByRole('treeitem', { name: /^Hello/ }).focus();
    if (way === 'a') await page.keyboard.press('a');
    else await page.getByRole('button', { name: 'Add step' }).first().press('Enter');
    await page.locator('.add-choice:focus').waitFor();
    await page.keyboard.press('Enter');
    await focused.waitFor();
    t.equal(await rows.count(), before + 1, way);
    const id = await page.getByRole('treeitem', { selected: true }).getAttribute('data-key');
    t.equal(await focused.inputValue(), id, `${way}: its first field is its name`);
  }
  await page.getByRole('treeitem', { name: /^Hello/ }).focus();
  await page.keyboard.press('Enter');
  await focused.waitFor();
  await page.getByRole('treeitem', { name: /^Hello/ }).focus();
  await page.keyboard.press('ControlOrMeta+d');
  await page.locator('[role=treeitem][aria-selected=true]:focus').waitFor();
  t.match(await page.locator('[role=treeitem]:focus').textContent(), /^Hello 2/);
});

t.test(
  'a card cuts no line of its text, and has the whole of it at hand',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const long = 'Someone with a rather long name of a step, which no card has room for';
    const filter = {
      all: [
        { tag: 'favourite_colour_of_the_season', eq: 'a rather unusual shade of green' },
        { event: 'order_placed_on_the_web', withinDays: 30, atLeast: 12 },
        { tag: 'city', in: ['Berlin', 'Lisbon', 'Kuala Lumpur', 'Buenos Aires'] },
      ],
    };
    const steps = [
      hello,
      { ...wait, id: long },
      { id: 'Who', type: 'condition', filter, then: [{ ...wait, id: 'Then' }] },
      { id: 'Until', type: 'goal', event: 'an_event_with_a_long_name', timeoutHours: 53 },
    ];
    const path = `/v1/apps/${place.appId}/journeys`;
    const triggerEvent = 'signed_up_in_the_app_or_on_the_web_site';
    const made = (await place.call('POST', path, { name: 'Long', triggerEvent, steps })) as Journey;
    const page = await place.open(`journeys/${made.id}`, {
      size: { width: 1600, height: 2000 },
    });
    const look = `[...document.querySelectorAll('.step-card')].map((card) => {
    const bottom = card.getBoundingClientRect().bottom;
    const texts = [...card.querySelectorAll('.step-text > *')];
    return {
      isWhole: texts.every((one) => one.getBoundingClientRect().bottom <= bottom - 4),
      lines: texts.map((one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)),
      titles: texts.map((one) => one.title || one.textContent),
      texts: texts.map((one) => one.textContent),
    };
  })`;
    for (const isLive of [false, true]) {
      if (isLive) {
        await place.call('PATCH', `${path}/${made.id}`, { active: true });
        await page.reload();
      }
      await page.locator('.step-card', { hasText: 'Until' }).waitFor();
      const cards = (await page.evaluate(look)) as readonly Record<string, readonly unknown[]>[];
      t.ok(cards.length >= 5, 'it sees the cards');
      for (const card of cards) {
        t.ok(card['isWhole'], `${card['texts']?.[0]} is inside its card`);
        for (const lines of card['lines'] ?? [])
          t.equal(Number(lines) % 1, 0, `whole lines: ${lines}`);
        t.strictSame(card['titles'], card['texts'], 'the whole text is told');
      }
    }
  },
);

t.test(
  'the forecast tells each step, and activating tells the difference',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const path = `/v1/apps/${place.appId}/journeys`;
    await place.call('POST', `/v1/apps/${place.appId}/subscribers`, {
      externalUserId: 'ada',
      devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
    });
    const made = (await place.call('POST', path, {
      name: 'Welcome',
      triggerEvent: 'signup',
      steps: [hello, wait],
    })) as Journey;
    await place.call('PATCH', `${path}/${made.id}`, { active: true });
    await place.call('POST', '/e', {
      appId: place.appId,
      events: [{ name: 'signup', externalUserId: 'ada' }],
    });
    const page = await place.open(`journeys/${made.id}?panel=people`);
    await page.getByRole('link', { name: 'ada' }).waitFor();
    await page.getByRole('tab', { name: 'Forecast' }).click();
    const curves = page.getByRole('button', { name: /^Hello 1 sent/ });
    await curves.waitFor();
    await page.getByRole('button', { name: /^A day 1 entered/ }).waitFor();
    t.strictSame(await axeFindings(page), []);
    await curves.click();
    await page.getByText('So far').waitFor();

    await page.getByRole('button', { name: 'Duplicate to edit' }).click();
    await page.getByText('Not live').waitFor();
    await page.getByRole('treeitem', { name: /^A day/ }).focus();
    await page.keyboard.press('Delete');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/The one person in it now exits/).waitFor();
    await dialog.getByText('Removed').waitFor();
    t.strictSame(await axeFindings(page), []);
  },
);

t.test('on a phone the outline stands alone, and a drawer edits', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = (await place.call('POST', `/v1/apps/${place.appId}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signup',
    steps: [hello, wait],
  })) as Journey;
  const page = await place.open(`journeys/${made.id}`, { size: phone, scheme: 'dark' });
  await page.getByRole('treeitem', { name: /^Hello/ }).click();
  await page.getByRole('dialog').getByLabel('Title').waitFor();
  t.strictSame(await axeFindings(page), []);
  t.equal(await page.getByLabel('Canvas').count(), 0);
});

t.test(
  'an empty journey is saved once it can be, and goes on being edited',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const page = await place.open('journeys/new/empty');
    await page.getByText('Choose a trigger. Add a step.').waitFor();
    await page.getByRole('button', { name: 'Add step' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Wait Pause/ })
      .click();
    await page.getByRole('tab', { name: 'Start' }).click();
    await page.getByRole('combobox', { name: 'Event' }).fill('signup');
    await page.waitForURL(/journeys\/jrn_/);
    t.equal(await page.getByRole('combobox', { name: 'Event' }).inputValue(), 'signup');
    await page.getByLabel('Name').fill('Second thoughts');
    await page.getByText('Saved', { exact: true }).waitFor();
    const { items } = (await place.call('GET', `/v1/apps/${place.appId}/journeys`)) as {
      readonly items: readonly { readonly name: string }[];
    };
    t.strictSame(
      items.map(({ name }) => name),
      ['Second thoughts'],
    );
  },
);
