// The dashboard in headless Chromium on the machine that serves it, with an audience: click to
// painted data over screens and people, counts while typing, a list scrolled from end to end, long
// tasks, shifts, and the first paint on a desk and on a slow phone.
// Run: npm run build && npx tsx bench/dashboard.ts [--people=100000] [--clicks=50] [--keys=30]

import type { Browser, Page } from 'playwright-core';
import { copyOf, keptAudience, peopleAsked } from './audience/directory.ts';
import { openBrowser, signedInPage } from './support/browser.ts';
import { type BenchServer, engage } from './support/engage.ts';
import { acceptOnly } from './support/loads.ts';
import { median, numberOption, printSummary, quantile } from './support/options.ts';

/** In turn: each is left for another, and found again with what was read before. */
const lists = ['people', 'segments', 'campaigns', 'messages'];
const scrollSteps = 200;
/** A row with its data, not one that is still gray. */
const shownRow = '.table-row[data-key]';
/** A phone of the middle class on slow 4G, as Lighthouse takes it. */
const phone = { slowdown: 4, kilobitsPerSecond: 1_638, latencyMs: 150 };

const clicks = numberOption('clicks', 50);
const keys = numberOption('keys', 30);
const people = peopleAsked(100_000);
const copy = await copyOf(await keptAudience(people));
const server = await engage(acceptOnly, { dataDir: copy.path });
const browser = await openBrowser();
try {
  await fill(server);
  const url = `http://127.0.0.1:${server.port}`;
  const home = `${url}/dashboard/${copy.appId}`;
  const paint = {
    desk: await firstPaints(browser, url, home),
    phone: await firstPaints(browser, url, home, phone),
  };
  const { page, close } = await signedInPage(browser, url, copy.key);
  await page.goto(`${home}/people`);
  await page.locator(shownRow).first().waitFor();
  const between = await clickedBetween(page);
  const opened = await openedPeople(page);
  const counted = await countedWhileTyping(page, home);
  const scrolled = await scrolledThrough(page, home);
  const { longTasks, shift } = (await page.evaluate('watched')) as {
    readonly longTasks: readonly number[];
    readonly shift: number;
  };
  await close();
  tell('screen to screen, first visit', between.first);
  tell('screen to screen, again', between.again);
  tell('a person from the list', opened);
  tell('a count after a key', counted.times);
  tell('rows after a jump', scrolled.jumps);
  tell('a frame while scrolling', scrolled.frames);
  console.log(`at most ${counted.mostAtOnce} counts asked at once; ${counted.stale} were stale`);
  console.log(`layout shift on the page opened last ${shift.toFixed(3)}`);
  console.log(
    `tasks of more than 50 ms there: ${longTasks.map((ms) => ms.toFixed(0)).join(', ') || 'none'}`,
  );
  printSummary('dashboard', {
    people,
    firstPaint: paint,
    clickP95: quantile([...between.first, ...between.again, ...opened], 0.95),
    clickMedian: median([...between.first, ...between.again, ...opened]),
    countP95: quantile(counted.times, 0.95),
    jumpP95: quantile(scrolled.jumps, 0.95),
    frameP95: quantile(scrolled.frames, 0.95),
    longTasks: longTasks.length,
    shift,
  });
} finally {
  await browser.close();
  await server.stop();
  copy.remove();
}

/** Rows for the lists that an audience alone leaves empty. */
async function fill({ call }: BenchServer): Promise<void> {
  const made = async (path: string, body: object) => {
    const answer = await call('POST', `/v1/apps/${copy.appId}/${path}`, body, copy.key);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return (answer.body as { readonly id: string }).id;
  };
  for (let i = 0; i < 20; i++) {
    const filter = { all: [{ tag: 'city', eq: `city-${i}` }] };
    const segmentId = await made('segments', { name: `City ${i}`, filter });
    const content = { title: `Hello ${i}`, body: 'Hello {{ first_name }}' };
    const messageId = await made('messages', { name: `Hello ${i}`, ...content });
    await made('campaigns', { name: `Hello, city ${i}`, messageId, audience: { segmentId } });
  }
}

/** From a window without a cache to the first paint and row; then the same window again. */
async function firstPaints(browser: Browser, url: string, home: string, slow?: typeof phone) {
  const { page, close } = await signedInPage(browser, url, copy.key);
  if (slow !== undefined) {
    const session = await page.context().newCDPSession(page);
    const throughput = (slow.kilobitsPerSecond * 1024) / 8;
    await session.send('Emulation.setCPUThrottlingRate', { rate: slow.slowdown });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: slow.latencyMs,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  const visit = async () => {
    await page.goto(`${home}/people`);
    await page.locator(shownRow).first().waitFor();
    return (await page.evaluate(`({
      paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      rows: performance.now(),
      shift: watched.shift,
    })`)) as { readonly paint: number; readonly rows: number; readonly shift: number };
  };
  const first = await visit();
  const again = await visit();
  await close();
  const name = slow === undefined ? 'desk' : 'slow phone';
  for (const [when, { paint, rows, shift }] of Object.entries({ first, again }))
    console.log(
      `${name}, ${when} visit: first paint ${paint.toFixed(0)} ms, rows ${rows.toFixed(0)} ms, layout shift ${shift.toFixed(3)}`,
    );
  return { firstMs: first.paint, againMs: again.paint };
}

/** Clicks from list to list in the rail. */
async function clickedBetween(page: Page) {
  const first: number[] = [];
  const again: number[] = [];
  for (let click = 0; click < clicks; click++) {
    const id = lists[(click + 1) % lists.length] as string;
    const link = page.locator(`.rail-link[href$="/${id}"]`);
    await link.hover();
    const painted = page.evaluate(
      `watched.painted(() => location.pathname.endsWith('/${id}') && ${areRowsShown(id)})`,
    );
    await link.click();
    (click < lists.length - 1 ? first : again).push((await painted) as number);
  }
  return { first, again };
}

/** Each opened by a click on its row and left by the browser's way back. */
async function openedPeople(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  await page.locator('.rail-link[href$="/people"]').click();
  for (let click = 0; click < clicks; click++) {
    await page.locator(shownRow).first().waitFor();
    const link = page.locator(`${shownRow} .row-link`).nth(click % 15);
    const name = await link.innerText();
    await link.hover();
    const painted = page.evaluate(
      `watched.painted(() =>
        /\\/people\\/./.test(location.pathname) &&
        document.querySelector('h1')?.textContent.includes(${JSON.stringify(name)}) &&
        document.querySelector('[aria-busy="true"], .late') === null)`,
    );
    await link.click();
    times.push((await painted) as number);
    await page.goBack();
  }
  return times;
}

async function countedWhileTyping(page: Page, home: string) {
  let inFlight = 0;
  let mostAtOnce = 0;
  const counts = '/segments/preview';
  page.on('request', (request) => {
    if (request.url().endsWith(counts)) mostAtOnce = Math.max(mostAtOnce, ++inFlight);
  });
  const ended = (request: { url(): string }) => {
    if (request.url().endsWith(counts)) inFlight--;
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  await page.goto(`${home}/segments/new`);
  await page.getByRole('button', { name: 'Add condition' }).press('Enter');
  await page.keyboard.type('city');
  await page.keyboard.press('Tab');
  const value = page.getByRole('combobox', { name: 'Value' });
  await value.fill('city-1');
  await page.locator('.audience-count[aria-busy="false"]').waitFor();
  const times: number[] = [];
  let stale = 0;
  for (let key = 0; key < keys; key++) {
    const painted = page.evaluate(`{
      let wasBusy = false;
      watched.painted(() => {
        const isBusy = document.querySelector('.audience-count').ariaBusy === 'true';
        wasBusy ||= isBusy;
        return wasBusy && !isBusy;
      });
    }`);
    await value.press(String(key % 10));
    times.push((await painted) as number);
    const typed = await value.inputValue();
    const shown = await page.locator('.audience-number strong').innerText();
    if (Number(shown.replace(/\D/g, '')) !== (await truth(typed))) stale++;
    await value.fill(`city-${1 + Math.floor(key / 10)}${key % 7}`);
    await page.locator('.audience-count[aria-busy="false"]').waitFor();
  }
  // A whole word at the pace of a fast typist: only the last count matters.
  await value.fill('');
  await page.keyboard.type('city-123', { delay: 60 });
  await page.locator('.audience-count[aria-busy="false"]').waitFor();
  const shown = await page.locator('.audience-number strong').innerText();
  if (Number(shown.replace(/\D/g, '')) !== (await truth('city-123'))) stale++;
  return { times, mostAtOnce, stale };
}

async function truth(city: string): Promise<number> {
  const { body } = await server.call(
    'POST',
    `/v1/apps/${copy.appId}/segments/preview`,
    { filter: { all: [{ tag: 'city', eq: city }] } },
    copy.key,
  );
  return (body as { readonly count: number }).count;
}

/** From the first row to the last in steps, each until its rows are there. */
async function scrolledThrough(page: Page, home: string) {
  await page.goto(`${home}/people`);
  await page.locator(shownRow).first().waitFor();
  await page.evaluate('watched.frames()');
  const jumps: number[] = [];
  for (let step = 1; step <= scrollSteps; step++)
    jumps.push(
      (await page.evaluate(`{
        const box = document.querySelector('.table-scroll');
        box.scrollTop = (box.scrollHeight - box.clientHeight) * ${step / scrollSteps};
        watched.inputAt = performance.now();
        watched.painted(() => {
          const edge = box.getBoundingClientRect();
          const middle = document.elementFromPoint(
            edge.x + edge.width / 2, edge.y + edge.height / 2)?.closest('.table-row');
          return middle?.dataset.key !== undefined;
        });
      }`)) as number,
    );
  const frames = (await page.evaluate('watched.endFrames()')) as readonly number[];
  const last = await page.locator(shownRow).last().getAttribute('aria-rowindex');
  if (Number(last) !== people + 1) throw new Error(`the last row is ${last} of ${people + 1}`);
  return { jumps, frames };
}

function areRowsShown(id: string): string {
  return `document.querySelector('.rail-link[aria-current="page"]')?.pathname.endsWith('/${id}') &&
    document.querySelector('[role="grid"]')?.ariaBusy === 'false' &&
    document.querySelector('${shownRow}') !== null`;
}

function tell(what: string, times: readonly number[]): void {
  const [half, most, all] = [median(times), quantile(times, 0.95), Math.max(...times)];
  console.log(
    `${what}: median ${half.toFixed(0)} ms, p95 ${most.toFixed(0)}, most ${all.toFixed(0)} (${times.length})`,
  );
}
