// Reports lead to the people behind their numbers, and stand in the address.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

t.test(
  'a funnel leads to its people, and a report stays in the address',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const send = (name: string, person: string) =>
      place.call('POST', '/e', {
        appId: place.appId,
        events: [{ name, externalUserId: person }],
      });
    for (const person of ['ada', 'grace'])
      await place.call('POST', `/v1/apps/${place.appId}/subscribers`, { externalUserId: person });
    await send('basket', 'ada');
    await send('basket', 'grace');
    await send('order', 'ada');

    const funnel = await place.open('insights?tab=funnel&steps=basket,order&days=7');
    await funnel.getByRole('link', { name: 'See who did basket but not order in 7 days' }).click();
    await funnel.getByRole('link', { name: 'grace' }).waitFor();
    t.equal(await funnel.getByRole('link', { name: 'ada' }).count(), 0);

    const trends = await place.open('insights?tab=trends&events=order&interval=week', {
      size: phone,
      scheme: 'dark',
    });
    await trends.getByRole('radio', { name: 'Weeks', checked: true }).waitFor();
    await trends.getByRole('group', { name: 'Trends' }).waitFor();
    await trends.keyboard.press('t');
    await trends.getByRole('columnheader', { name: 'order' }).waitFor();
    t.match(trends.url(), /view=table/);
    t.strictSame(await axeFindings(trends), []);
  },
);
