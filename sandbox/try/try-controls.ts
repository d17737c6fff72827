// What the page to try the web SDK asks of the sandbox: which app it may use, and a message to
// whoever tries it. The key of the demo app stays in this process.

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  type ControlAnswer,
  type ControlRoute,
  ok,
  parseControl,
  refused,
} from '../control-route.ts';
import type { TryPlace } from '../stand-in.ts';

interface Demo {
  readonly appId: string;
  readonly key: string;
}

const wish = z.strictObject({
  kind: z.enum(['push', 'popup', 'inbox']),
  externalUserId: z.string().min(1).max(128),
});
type Wish = z.output<typeof wish>;

/** Shown to who tries it and nobody else: the page sets this tag. */
const tag = 'tries_the_sdk_as';
const shownMs = 3_600_000;
const callMsMax = 10_000;

const texts = {
  push: { title: 'It works', body: 'This push came from your own server.' },
  popup: { title: 'Hello from Engage', body: 'An in-app message that shows itself.' },
  inbox: { title: 'Kept for later', body: 'A message that stays in the inbox.' },
};

export function tryControls(place: TryPlace | undefined, nowMs: () => number): ControlRoute[] {
  return [
    {
      method: 'GET',
      path: '/try',
      about: 'The server and the app that the page /try uses, and the tag it sets.',
      async handle() {
        const demo = await demoOf(place);
        if (place === undefined || demo === undefined) return withoutDemo;
        return ok({ engageUrl: place.engageUrl, appId: demo.appId, tag });
      },
    },
    {
      method: 'POST',
      path: '/try/send',
      about:
        '{kind: push, popup or inbox, externalUserId}: sends a message of the demo app to who tries /try.',
      async handle({ body }) {
        const parsed = parseControl(wish, body);
        if ('refusal' in parsed) return parsed.refusal;
        const demo = await demoOf(place);
        if (place === undefined || demo === undefined) return withoutDemo;
        return send(place, demo, parsed.value, nowMs());
      },
    },
  ];
}

const withoutDemo = refused(404, 'there is no demo app here: it is made at the first start');

async function demoOf(place: TryPlace | undefined): Promise<Demo | undefined> {
  if (place === undefined) return undefined;
  const text = await readFile(place.envFile, 'utf8').catch(() => '');
  const appId = /ENGAGE_APP=(\w+)/.exec(text)?.[1];
  const key = /ENGAGE_KEY=([\w-]+)/.exec(text)?.[1];
  return appId === undefined || key === undefined ? undefined : { appId, key };
}

async function send(
  { engageUrl }: TryPlace,
  { appId, key }: Demo,
  { kind, externalUserId }: Wish,
  nowMs: number,
): Promise<ControlAnswer> {
  const calls: { readonly line: string; readonly body: object }[] = [];
  const call = async (line: string, body: object) => {
    const path = `/v1/apps/${appId}/${line}`;
    calls.push({ line: `POST ${path}`, body });
    const answer = await fetch(engageUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(callMsMax),
    });
    const read = (await answer.json()) as { readonly id?: string; readonly error?: string };
    if (!answer.ok) throw new Error(read.error ?? `HTTP ${answer.status}`);
    return read.id ?? '';
  };
  try {
    if (kind === 'push')
      await call('notifications', { externalUserId, channels: ['webpush'], ...texts.push });
    else {
      const messageId = await call('messages', { name: `Try: ${kind}`, ...texts[kind] });
      const filter = { tag, eq: externalUserId };
      const endAt = new Date(nowMs + shownMs).toISOString();
      await call('in-app-messages', { messageId, show: kind, filter, endAt });
    }
    return ok({ calls });
  } catch (error) {
    return refused(502, (error as Error).message);
  }
}
