// The service worker: shows what Engage sends, and reports what people do with it. A report is
// stored before it is sent, and the next page sends what nobody answered. It may be imported by a
// worker of the site: what is not Engage's it leaves alone. It shares with pages what is stored and
// little code, as a browser starts it anew for each push.

import { inTransaction, openDatabase } from './database.ts';
import { ownerOf, useDevice } from './devices.ts';
import type { PushEventName, PushPayload } from './notification.ts';
import type { Rows } from './platform.ts';
import { currentOf, personOf, type State, type WorkerNote, workerKey } from './state.ts';
import type { ClickEvent, PushChange, PushEvent, WorkerScope } from './worker-scope.ts';

const worker = globalThis as unknown as WorkerScope;
/** Browsers show no more. */
const buttonsMax = 2;
/** A queue that is full keeps what it has: it is the page's, which makes room in it. */
const queueEventsMax = 1_000;
const page = crypto.randomUUID();

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('push', (event) => {
  const message = payloadOf(event);
  if (message?.messageId) event.waitUntil(received(message));
});
worker.addEventListener('notificationclick', (event) => {
  const message = messageOf(event);
  if (message) event.waitUntil(clicked(event, message));
});
worker.addEventListener('notificationclose', (event) => {
  const message = messageOf(event);
  if (message) event.waitUntil(report('dismissed', message));
});
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewed(event)));

/** Undefined for a push that is no JSON: it is of somebody else. */
function payloadOf({ data }: PushEvent): PushPayload | undefined {
  try {
    return data?.json() as PushPayload;
  } catch {
    return undefined;
  }
}

function messageOf({ notification }: ClickEvent): PushPayload | undefined {
  return (notification.data as { engage?: PushPayload } | null)?.engage;
}

async function received(message: PushPayload): Promise<void> {
  const { title = '', body, image, icon, tag, renotify, silent, actions, data } = message;
  await worker.registration.showNotification(title, {
    ...{ body, icon, tag, renotify, silent },
    ...(webAddress(image) ? { image } : {}),
    actions: actions?.slice(0, buttonsMax).map(({ action, title }) => ({ action, title })),
    data: { engage: message },
  });
  if (data?.badgeCount !== undefined)
    await navigator.setAppBadge?.(data.badgeCount).catch(() => undefined); // not everywhere
  await stored((note) => tell(note, 'received', message));
}

async function clicked(event: ClickEvent, message: PushPayload): Promise<void> {
  const { action, notification } = event;
  notification.close();
  const button = message.actions?.find((one) => one.action === action);
  const address = button?.url ?? message.data?.deepLink;
  const reporting = report('clicked', message, action || undefined);
  // An address of another scheme could run a script, or start a program.
  if (address === undefined || webAddress(address)) await open(webAddress(address));
  await reporting;
}

/** Focuses a tab of the address, or of the site if there is none; else opens it. */
async function open(url: string | undefined): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find((one) => !url || one.url === url);
  if (tab) await tab.focus();
  else await worker.clients.openWindow(url ?? '/');
}

/** The whole address; undefined for one that is none of the web. */
function webAddress(address: string | undefined): string | undefined {
  const { origin } = worker.location;
  if (address === undefined || !URL.canParse(address, origin)) return undefined;
  const { href, protocol } = new URL(address, origin);
  return /^https?:$/.test(protocol) ? href : undefined;
}

/**
 * Runs a step on what pages stored, and stores the state after it. Resolves to undefined before
 * there is a page that called `init`, and where nothing can be stored, such as on a full disk.
 */
async function stored<Value>(
  step: (note: WorkerNote, state: State, rows: Rows) => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    const database = await openDatabase('engage');
    const value = await inTransaction(database, async (rows) => {
      const note = (await rows.get('state', workerKey)) as WorkerNote | undefined;
      const state = note && ((await rows.get('state', note.appId)) as State | undefined);
      if (!state) return undefined;
      const value = await step(note, state, rows);
      await rows.put('state', note.appId, state);
      return value;
    }).finally(() => database.close());
    return value;
  } catch {
    return undefined;
  }
}

function tell({ appId }: WorkerNote, push: PushEventName, message: PushPayload, action?: string) {
  const channel = new BroadcastChannel(`engage:${appId}`);
  channel.postMessage({ push, message, action });
  channel.close();
}

function post(url: string, body: object, token?: string): Promise<Response> {
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
    credentials: 'omit',
    keepalive: true,
  });
}

async function report(name: PushEventName, message: PushPayload, action?: string): Promise<void> {
  const { messageId: sendId, deviceId } = message;
  const now = { ms: Date.now(), monotonicMs: performance.now(), page };
  const references = { sendId, deviceId };
  const event = { id: crypto.randomUUID(), name, props: action && { action } };
  const bytes = JSON.stringify([event, now, references]).length;
  let call: (() => Promise<Response>) | undefined;
  let key = 0;
  await stored(async (note, state, rows) => {
    tell(note, name, message, action);
    const { appId, baseUrl, ingestUrl = baseUrl } = note;
    const { n, id: subscriberId } = ownerOf(state, deviceId ?? '') ?? currentOf(state);
    const events = [{ ...event, subscriberId, at: new Date(now.ms), ...references }];
    const token = personOf(state, n)?.token;
    // Otherwise its person is not known yet: the page logs them in first.
    if (subscriberId) call = () => post(`${ingestUrl}/e`, { appId, events }, token);
    if (state.events >= queueEventsMax) return;
    key = state.nextKey++;
    state.events++;
    state.bytes += bytes;
    const queued = { ...event, at: now, references, tried: now, n, subscriberId, bytes };
    await rows.put('queue', key, queued);
  });
  // What could not be stored is sent all the same.
  if ((await call?.())?.status !== 202) return;
  await stored(async (_note, state, rows) => {
    if (!(await rows.get('queue', key))) return;
    await rows.remove('queue', key);
    state.events--;
    state.bytes -= bytes;
  });
}

/** The browser has replaced the subscription, or ended it: the server learns the new one. */
async function renewed({ newSubscription }: PushChange): Promise<void> {
  const note = await stored((note) => note);
  if (!note?.vapidPublicKey) return;
  const { appId, baseUrl, vapidPublicKey: applicationServerKey } = note;
  const { pushManager } = worker.registration;
  const subscription =
    newSubscription ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  const endpoint = subscription.toJSON();
  const channel = 'webpush';
  const person = await stored((_note, state) => {
    useDevice(state, channel, endpoint);
    return currentOf(state);
  });
  const clientToken = person?.token;
  // The next page asks for the id of the device, which is the same by then.
  if (clientToken)
    await post(`${baseUrl}/v1/sdk/register`, { appId, clientToken, channel, endpoint });
}
