// A lived-in app of which each picture is the same on any day and machine: the server's clock
// begins at one instant and hardly goes on, the browser's stands still half an hour later, and all
// letters are of one family, whatever else is installed.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { eventually } from '../../support/server.ts';
import { needsBrowser, type Workplace, workplace } from './browser.ts';
import { fillApp, type LivedInApp } from './lived-in-app.ts';

const serverMs = Date.parse('2026-03-11T09:30:00Z');
const shownMs = Date.parse('2026-03-11T10:00:30Z');
/** Ten minutes of drawing are one of the server: no "30 min. ago" becomes another. */
const slower = 10;
/** One server for all tests of a process. */
const beganMs = Date.now();

/** Both clocks alike, or the server says that its clock is in doubt. */
const stillClock = `const { now } = Date;
Date.now = () => ${serverMs} + Math.floor((now() - ${beganMs}) / ${slower});
const elapsed = performance.now.bind(performance);
performance.now = () => elapsed() / ${slower};`;

/** Fonts by what draws them. */
interface Letters {
  readonly folder: string | undefined;
  readonly sans: string;
  readonly mono: string;
  readonly isHinted: boolean;
}

/** Debian's fonts-liberation, as other distributions have it too. */
export const liberation: Letters = {
  folder: ['truetype/liberation', 'liberation', 'liberation-fonts']
    .map((folder) => `/usr/share/fonts/${folder}`)
    .find(existsSync),
  sans: 'Liberation Sans',
  mono: 'Liberation Mono',
  isHinted: false,
};

/** An option of `t.test`, as `needsBrowser`. */
export const needsLetters =
  liberation.folder === undefined && process.env['CI'] === undefined
    ? { skip: 'fonts-liberation is not installed' }
    : needsBrowser;

/** What fontconfig finds: one family for all, in grays. */
const fontSettings = ({ folder, sans, mono, isHinted }: Letters) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <match target="pattern">
    <test qual="any" name="family"><string>monospace</string></test>
    <edit name="family" mode="prepend" binding="same"><string>${mono}</string></edit>
  </match>
  <match target="pattern">
    <edit name="family" mode="append_last"><string>${sans}</string></edit>
  </match>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>${isHinted}</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`;

/** The file of fontconfig that a browser is started with, in a folder of the caller. */
export function fontFile(folder: string, letters = liberation): string {
  const path = join(folder, `fonts-${letters.isHinted ? 'hinted' : 'plain'}.conf`);
  writeFileSync(path, fontSettings(letters));
  return path;
}

export interface StillPlace extends Workplace {
  readonly made: LivedInApp;
  /** Below the app: somebody to whom one thing happened after the other. */
  readonly personPath: string;
  /** The same place, where letters are drawn in another way. */
  lettered(letters: Letters): StillPlace;
}

export async function stillPlace(t: Test): Promise<StillPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'engage-still-'));
  // Later than the test: the server starts threads, and ends with the process.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const clock = join(folder, 'clock.cjs');
  writeFileSync(clock, stillClock);
  const quick = await workplace(t, 'Acme', {
    environment: { NODE_OPTIONS: `--require ${clock}` },
  });
  const place = { ...quick, call: oneAfterOther(quick) };
  const made = await fillApp(place, serverMs);
  await nothingUnderWay(place);
  const sendId = await calmPerson(place);
  const lettered = (letters: Letters): StillPlace => ({
    ...place,
    made: { ...made, sendId },
    personPath: `people/external:${calmId}`,
    lettered,
    open: (screen, options = {}) =>
      place.open(screen, {
        ...options,
        fonts: fontFile(folder, letters),
        // The clock's script, in frames of mails.
        expects: /^Blocked script execution in .* sandboxed/,
        before: async (page) => {
          await page.clock.setFixedTime(shownMs);
          await options.before?.(page);
        },
      }),
  });
  return lettered(liberation);
}

/**
 * What two calls make in one millisecond of the server has no order in its lists, nor has a
 * campaign's end among what is made while it sends.
 */
function oneAfterOther({ call }: Workplace): Workplace['call'] {
  return async (method, path, body) => {
    const answer = await call(method, path, body);
    const [, campaign] = /^(.*\/campaigns\/[^/]+)\/send$/.exec(path) ?? [];
    if (campaign !== undefined)
      await eventually(async () => {
        const { state, throttle } = (await call('GET', campaign)) as Campaign;
        return state !== 'sending' || throttle !== null || undefined;
      }, `${campaign} does not end`);
    const endMs = Date.now() + slower;
    while (Date.now() <= endMs) await new Promise((resolve) => setTimeout(resolve, 1));
    return answer;
  };
}

interface Campaign {
  readonly state: string;
  readonly throttle: object | null;
}

const calmId = 'ada-lovelace';

/** With her the order of things does not depend on which provider answers first. */
async function calmPerson(place: Workplace): Promise<string> {
  const happens = (name: string) =>
    place.call('POST', '/e', { appId: place.appId, events: [{ name, externalUserId: calmId }] });
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, {
    externalUserId: calmId,
    tags: { first_name: 'Ada', plan: 'pro', city: 'Lisbon', interests: ['chess', 'tea'] },
    timezone: 'Europe/Lisbon',
    devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
  });
  await happens('app_opened');
  const send = async (title: string) => {
    const body = { externalUserId: calmId, title, body: 'Tomorrow at seven, for two.' };
    const path = `/v1/apps/${place.appId}/notifications`;
    const { id } = (await place.call('POST', path, body)) as { readonly id: string };
    await nothingUnderWay(place);
    return id;
  };
  await send('Your table is booked');
  await happens('order_placed');
  return send('Your table is ready');
}

interface Listed<Item> {
  readonly items: readonly Item[];
}
interface SendItem {
  readonly channels: readonly string[];
  readonly outcomes: readonly unknown[];
}

/** Until each device of each send has a receipt, and only the campaign with a throttle sends. */
async function nothingUnderWay(place: Workplace): Promise<void> {
  const list = async <Item>(what: string) =>
    ((await place.call('GET', `/v1/apps/${place.appId}/${what}`)) as Listed<Item>).items;
  await eventually(async () => {
    const sends = await list<SendItem>('notifications?limit=200');
    const sending = await list('campaigns?state=sending');
    const isDone = sends.every(({ channels, outcomes }) => outcomes.length >= channels.length);
    return (isDone && sending.length === 1) || undefined;
  }, 'something is still under way');
}
