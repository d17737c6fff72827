// The service worker: shows what Engage sends, and reports what people do with it. A report is
// stored before it is sent, and the next page sends what nobody answered. It may be imported by a
// worker of the site: what is not Engage's it leaves alone.

import { ask } from './api.ts';
import { browser } from './browser.ts';
import { noteDevice, ownerOf } from './devices.ts';
import type { PushEventName, PushNews, PushPayload } from './notification.ts';
import { dequeue, enqueue, ingestBody, instantOf } from './queue.ts';
import { currentOf, type State, type WorkerNote, workerKey } from './state.ts';
import type { ClickEvent, PushChange, PushEvent, WorkerScope } from './worker-scope.ts';

const worker = globalThis as unknown as WorkerScope;
/** Browsers show no more. */
const buttonsMax = 2;
const store = browser.store('engage');
const page = browser.uuid();

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('push', (event) => {
  const message = payloadOf(event);
  if (message !== undefined) event.waitUntil(received(message));
});
worker.addEventListener('notificationclick', (event) => {
  const message = messageOf(event);
  if (message !== undefined) event.waitUntil(clicked(event, message));
});
worker.addEventListener('notificationclose', (event) => {
  const message = messageOf(event);
  if (message !== undefined) event.waitUntil(report('dismissed', message));
});
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewed(event)));

/** Undefined for a push of somebody else. */
function payloadOf({ data }: PushEvent): PushPayload | undefined {
  try {
    const message = data?.json() as PushPayload;
    return message.messageId === undefined ? undefined : message;
  } catch {
    return undefined;
  }
}

function messageOf({ notification }: ClickEvent): PushPayload | undefined {
  const { engage } = (notification.data ?? {}) as { engage?: PushPayload };
  return engage;
}

async function received(message: PushPayload): Promise<void> {
  const { title = '', body, image, icon, tag, renotify, silent, actions, data } = message;
  await worker.registration.showNotification(title, {
    ...{ body, icon, tag, renotify, silent },
    ...(isWebAddress(image) ? { image } : {}),
    actions: actions?.slice(0, buttonsMax).map(({ action, title }) => ({ action, title })),
    data: { engage: message },
  });
  if (data?.badgeCount !== undefined)
    await navigator.setAppBadge?.(data.badgeCount).catch(() => undefined); // not everywhere
  const note = await noteOf();
  if (note !== undefined) tell(note, { push: 'received', message });
}

async function clicked(event: ClickEvent, message: PushPayload): Promise<void> {
  const { action, notification } = event;
  notification.close();
  const button = message.actions?.find((one) => one.action === action);
  const address = button?.url ?? message.data?.deepLink;
  const reporting = report('clicked', message, action);
  // An address of another scheme could run a script, or start a program.
  if (address === undefined || isWebAddress(address)) await open(address);
  await reporting;
}

/** Focuses a tab of the address, or of the site if there is none; else opens it. */
async function open(address: string | undefined): Promise<void> {
  const url = address === undefined ? undefined : new URL(address, worker.location.origin).href;
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find((one) => url === undefined || one.url === url);
  if (tab === undefined) await worker.clients.openWindow(url ?? '/');
  else await tab.focus();
}

function isWebAddress(address: string | undefined): address is string {
  return (
    address !== undefined &&
    URL.canParse(address, worker.location.origin) &&
    /^https?:$/.test(new URL(address, worker.location.origin).protocol)
  );
}

async function noteOf(): Promise<WorkerNote | undefined> {
  return (await store.run((rows) => rows.get('state', workerKey))) as WorkerNote | undefined;
}

function tell({ appId }: WorkerNote, news: PushNews): void {
  browser.tell(`engage:${appId}`, news);
}

async function report(name: PushEventName, message: PushPayload, action?: string): Promise<void> {
  const note = await noteOf();
  if (note === undefined) return;
  tell(note, { push: name, message, ...(action ? { action } : {}) });
  const { appId, baseUrl, ingestUrl = baseUrl } = note;
  const { messageId: sendId, deviceId = '' } = message;
  const now = instantOf(browser, page);
  const { row, token } = await store.run(async (rows) => {
    const state = (await rows.get('state', appId)) as State;
    const owner = ownerOf(state, deviceId) ?? currentOf(state);
    const event = {
      id: browser.uuid(),
      name,
      at: now,
      props: action ? { action } : undefined,
      references: { ...(sendId ? { sendId } : {}), ...(deviceId ? { deviceId } : {}) },
      tried: now,
    };
    const { row } = await enqueue(rows, state, event, owner);
    await rows.put('state', appId, state);
    return { row, token: state.people.find(({ n }) => n === owner.n)?.token };
  });
  // Its person is not known yet: the page logs them in first.
  if (row[1].subscriberId === undefined) return;
  const body = ingestBody(appId, [row], undefined, now);
  const answer = await ask(browser, 'POST', `${ingestUrl}/e`, { body, token, keepalive: true });
  if (answer.status !== 202) return;
  await store.run(async (rows) => {
    const state = (await rows.get('state', appId)) as State;
    await dequeue(rows, state, [row]);
    await rows.put('state', appId, state);
  });
}

/** The browser has replaced the subscription, or ended it: the server learns the new one. */
async function renewed({ newSubscription }: PushChange): Promise<void> {
  const note = await noteOf();
  if (note === undefined || !note.vapidPublicKey) return;
  const { appId, baseUrl, vapidPublicKey } = note;
  const { pushManager } = worker.registration;
  const subscription =
    newSubscription ??
    (await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: vapidPublicKey,
    }));
  const endpoint = subscription.toJSON();
  const person = await store.run(async (rows) => {
    const state = (await rows.get('state', appId)) as State;
    const current = currentOf(state);
    current.device = { channel: 'webpush', endpoint };
    await rows.put('state', appId, state);
    return current;
  });
  const { n, token: clientToken } = person;
  if (clientToken === undefined) return;
  const body = { appId, clientToken, channel: 'webpush', endpoint };
  const answer = await ask(browser, 'POST', `${baseUrl}/v1/sdk/register`, { body });
  if (answer.status !== 200) return; // The next page registers it.
  const { deviceId: id } = answer.body as { deviceId: string };
  await store.run(async (rows) => {
    const state = (await rows.get('state', appId)) as State;
    const owner = state.people.find((one) => one.n === n);
    if (owner !== undefined) noteDevice(state, owner, { channel: 'webpush', endpoint, id });
    await rows.put('state', appId, state);
  });
}
