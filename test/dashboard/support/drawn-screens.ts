// Pictures of every screen of an app that stands still: 1,440 pixels in both schemes, and a phone.

import type { Page, Request } from 'playwright-core';
import { desk, phone } from './browser.ts';
import { type Drawn, signatureOf } from './picture-signature.ts';
import { pixelsOf } from './png.ts';
import { opened, type ShownScreen, show, whenSettled } from './screen-list.ts';
import type { StillPlace } from './still-place.ts';

interface DrawnScreen {
  /** `campaign-1440-dark`. */
  readonly name: string;
  readonly png: Buffer;
  readonly drawn: Drawn;
}

/** A desk is laid out alike in both schemes: its dark blocks are larger. */
const sides = { light: 30, dark: 60 } as const;
/** What a look up and down would show; no picture is higher. */
const highest = 2_700;
const beyond = `Math.max(0, ...[...document.querySelectorAll('.screen-body')]
  .map((body) => body.scrollHeight - body.clientHeight))`;

/**
 * What differs between two runs becomes one text: ids, ports, what a count took, the addresses that
 * have a piece of an id, and what a row of the stream of events says, because devices are served at
 * once. Org and first key of an audit log are made in one instant, either as the older: their rows
 * are left out.
 */
const stillTexts = `(() => {
  const isStream = location.pathname.endsWith('/events');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const still = node.nodeValue
      .replace(/(\\b[a-z]{2,4}_)[0-9a-z]{26}\\b/g, (_, kind) => kind + '0'.repeat(26))
      .replace(/(127\\.0\\.0\\.1:)\\d+/g, '$18400')
      .replace(/\\d[\\d.]* ms\\b/g, '1 ms')
      .replace(/\\b(ada|ben|app)-[0-9a-z]+@/g, '$1-000000@');
    const isInRow = isStream && node.parentElement.closest('.table-row') !== null;
    const shown = isInRow && !still.endsWith(' ago') ? 'customer-0000' : still;
    if (shown !== node.nodeValue) node.nodeValue = shown;
  }
  for (const row of document.querySelectorAll('[role="row"]'))
    if (/The server’s operator/.test(row.textContent)) row.style.visibility = 'hidden';
})()`;

export async function* drawnScreens(
  place: StillPlace,
  isWanted = (_name: string): boolean => true,
): AsyncGenerator<DrawnScreen> {
  const shown = stillScreens(place);
  for (const [size, schemes] of [
    [desk, ['light', 'dark']],
    [phone, ['light']],
  ] as const) {
    const page = await place.open('home', { size });
    const answered = answersOf(page);
    for (const screen of shown) {
      const wanted = schemes.filter((scheme) => isWanted(`${screen.name}-${size.width}-${scheme}`));
      if (wanted.length === 0) continue;
      await page.setViewportSize(size);
      await show(page, place, screen);
      await answered();
      await grow(page, size);
      await answered();
      for (const colorScheme of wanted) {
        await page.emulateMedia({ colorScheme });
        const name = `${screen.name}-${size.width}-${colorScheme}`;
        yield { name, ...(await drawn(page, sides[colorScheme])) };
      }
      await page.emulateMedia({ colorScheme: 'light' });
    }
  }
}

const idle = 'new Promise((done) => requestIdleCallback(() => done()))';

/** Waits until every call but that of the live stream is answered, and what it brought is drawn. */
export function answersOf(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (!/\/live\b/.test(request.url())) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return async () => {
    // What is below the first look is drawn after it, and nothing on the page says so.
    let size = -1;
    for (let quiet = 0; quiet < 3; ) {
      await whenSettled(page);
      await page.evaluate(idle);
      const now = Number(await page.evaluate('document.querySelectorAll("*").length'));
      quiet = open.size === 0 && now === size ? quiet + 1 : 0;
      size = now;
    }
  };
}

/** A picture of what the page shows now. */
export async function drawn(page: Page, side: number): Promise<Omit<DrawnScreen, 'name'>> {
  await page.evaluate(stillTexts);
  const png = await page.screenshot();
  return { png, drawn: signatureOf(pixelsOf(png), side) };
}

/** The list's screens, with a person and a send to which one thing happened after the other. */
export function stillScreens({ made, personPath }: StillPlace): readonly ShownScreen[] {
  return opened(made).map((screen) =>
    screen.name === 'person' ? { ...screen, path: (appId) => `/${appId}/${personPath}` } : screen,
  );
}

/** Makes the window as high as the screen that is in it. */
async function grow(page: Page, size: { readonly width: number; readonly height: number }) {
  const more = Number(await page.evaluate(beyond));
  if (more === 0) return;
  await page.setViewportSize({ ...size, height: Math.min(highest, size.height + more) });
  await whenSettled(page);
}
