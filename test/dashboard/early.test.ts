// What a screen asks for first is asked before its scripts are there, once.

import t from 'tap';
import { needsBrowser, type Workplace, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { whenSettled } from './support/screen-list.ts';

const left = '[...globalThis.engageEarly.keys()]';
const rootHolds = "document.querySelector('#root .shell') !== null";

async function personOf({ appId, call }: Workplace): Promise<string> {
  const found = await call('GET', `/v1/apps/${appId}/subscribers/external:customer-0003`);
  return (found as { readonly id: string }).id;
}

t.test('a screen takes each answer that was asked for early', needsBrowser, async (t) => {
  const place = await workplace(t);
  const made = await fillApp(place);
  const page = await place.open('home');
  await whenSettled(page);
  for (const path of [
    ...['home', 'people', 'campaigns', 'journeys', 'messages', 'segments', 'settings'],
    `campaigns/${made.campaignId}`,
    `journeys/${made.journeyId}`,
    'people/external:customer-0003',
    `people/${await personOf(place)}`,
  ]) {
    const asked: string[] = [];
    const note = (request: { url(): string; isNavigationRequest(): boolean }) => {
      // What the page before still asked for is not of this one.
      if (request.isNavigationRequest()) asked.length = 0;
      asked.push(request.url().slice(place.url.length));
    };
    page.on('request', note);
    await page.goto(`${place.url}/dashboard/${place.appId}/${path}`);
    await page.locator('h1').first().waitFor();
    await whenSettled(page);
    page.off('request', note);
    t.strictSame(await page.evaluate(left), [], `${path}: all are taken`);
    t.equal(asked.filter((one) => one === '/v1/session').length, 1, `${path}: one session`);
    const data = asked.findIndex((one) => /^\/v1\/(?!session)/.test(one));
    t.ok(data > asked.indexOf('/v1/session'), `${path}: nothing is asked without a session`);
  }
});

t.test('without scripts the frame of the screen is there', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('home', { expects: /ERR_FAILED/ });
  await page.route(/\/dashboard\/a\/.*\.js$/, (route) => route.abort());
  await page.goto(`${place.url}/dashboard/${place.appId}/campaigns`);
  t.ok(await page.evaluate(rootHolds));
  t.match(await page.locator('.first-title').innerText(), 'Campaigns');
  t.match(await page.locator('.band').innerText(), 'Sandbox');
});
