// Gateways for calls: added at the channel with its own recipes and words, tried, and without the
// prices that only texts have.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';

for (const [name, size, scheme] of [
  ['a desk', desk, 'light'],
  ['a phone', phone, 'dark'],
] as const)
  t.test(`a gateway for calls is added and tried on ${name}`, needsBrowser, async (t) => {
    const { call, open, appId } = await workplace(t);
    const page = await open('channels/voice', { size, scheme });
    const part = page.locator('#relays');
    await part.getByText('This app has no gateway of its own.').waitFor();
    await part.getByRole('button', { name: 'Add gateway' }).click();
    const recipes = part.getByLabel('Gateway', { exact: true }).locator('option');
    t.same(await recipes.allTextContents(), ['My own description', 'Infobip, calls']);
    await part.getByLabel('Gateway', { exact: true }).selectOption({ label: 'Infobip, calls' });
    await part.getByLabel('Name').fill('Infobip');
    await part.getByLabel('Sender').fill('842873000000');
    await part.getByLabel('API key').fill('key-of-mine-12');
    await part.getByLabel('A long random text of your own').fill('token-of-mine-34');
    t.equal(await part.getByLabel('Currency').count(), 0, 'calls have no prices');
    t.strictSame(await axeFindings(page), []);
    await part.getByRole('button', { name: 'Add', exact: true }).click();
    const card = part.getByRole('article', { name: 'Infobip' });
    await part.getByText('Transactional calls: Infobip sends.').waitFor();
    const { items } = (await call('GET', `/v1/apps/${appId}/relays`)) as {
      readonly items: readonly object[];
    };
    t.match(items, [{ channel: 'voice', kind: 'http', config: { recipe: 'infobip-voice' } }]);
    await card.getByRole('button', { name: 'Change' }).click();
    await part.getByLabel('Your phone number').fill('+84901234567');
    await part.getByRole('button', { name: 'Show the request' }).click();
    await part.getByText('authorization: App *apiKey*').waitFor();
    t.strictSame(await axeFindings(page), []);
    await open('/org/relays', { size, scheme }).then(async (shared) => {
      await shared.locator('#voice').getByText('The organization shares no gateway.').waitFor();
      t.strictSame(await axeFindings(shared), []);
    });
  });
