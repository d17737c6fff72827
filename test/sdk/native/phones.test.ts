// What React Native and Capacitor make of their libraries, beyond the conformance scripts: another
// system's token, a refused permission, a notification that started the app, no push at all.

import t from 'tap';
import { engageForCapacitor } from '../../../sdk/capacitor/src/engage.ts';
import type { NativeParts } from '../../../sdk/native/src/native-platform.ts';
import { engageForReactNative } from '../../../sdk/react-native/src/engage.ts';

const app = { appId: 'app_0', baseUrl: 'https://engage.example' };

/** A server that takes everything, and the bodies that it got by path. */
function server() {
  const bodies = new Map<string, Record<string, unknown>>();
  const instead: NonNullable<NativeParts['instead']> = {
    async send({ url, body }) {
      const { pathname } = new URL(url);
      if (body !== undefined) bodies.set(pathname, JSON.parse(body));
      const status = pathname === '/e' ? 202 : 200;
      const text = JSON.stringify({
        ingestUrl: app.baseUrl,
        subscriberId: 'sub_0',
        clientToken: 'ct_0',
        deviceId: 'dev_0',
      });
      return { status, text, header: () => null };
    },
  };
  return { bodies, instead };
}

function storage() {
  const texts = new Map<string, string>();
  return {
    getItem: async (key: string) => texts.get(key) ?? null,
    setItem: async (key: string, value: string) => void texts.set(key, value),
    removeItem: async (key: string) => void texts.delete(key),
  };
}

const handle = { remove: async () => undefined };

function onIphone(receive: 'granted' | 'denied', instead: NonNullable<NativeParts['instead']>) {
  const kept = storage();
  const registered = new Set<(token: { readonly value: string }) => void>();
  const engage = engageForCapacitor({
    preferences: {
      get: async ({ key }) => ({ value: await kept.getItem(key) }),
      set: ({ key, value }) => kept.setItem(key, value),
      remove: ({ key }) => kept.removeItem(key),
    },
    app: { addListener: async () => handle },
    push: {
      requestPermissions: async () => ({ receive }),
      async register() {
        for (const listener of registered) listener({ value: '00ff' });
      },
      async addListener(name: string, listener: (told: never) => void) {
        if (name === 'registration') registered.add(listener as (token: object) => void);
        return handle;
      },
    },
    platform: 'ios',
    instead,
  });
  return engage;
}

t.test("Capacitor on iOS registers APNs' token", async (test) => {
  const { bodies, instead } = server();
  const engage = onIphone('granted', instead);
  await engage.init(app);
  await engage.push.subscribe();
  test.match(bodies.get('/v1/sdk/register'), { channel: 'apns', endpoint: '00ff' });
  await engage.reset();
});

t.test('a refused permission is an error, and registers nothing', async (test) => {
  const { bodies, instead } = server();
  const engage = onIphone('denied', instead);
  await engage.init(app);
  await test.rejects(engage.push.subscribe(), { code: 'permission_denied' });
  test.notOk(bodies.has('/v1/sdk/register'));
  await engage.reset();
});

function onAndroid(instead: NonNullable<NativeParts['instead']>, hasPush: boolean) {
  const nothing = () => undefined;
  const data = { engageSendId: 'ntf_0', engageDeviceId: 'dev_0' };
  return engageForReactNative({
    storage: storage(),
    appState: { addEventListener: () => ({ remove: nothing }) },
    ...(hasPush
      ? {
          messaging: {
            getToken: async () => 'token',
            onTokenRefresh: () => nothing,
            onMessage: () => nothing,
            onNotificationOpenedApp: () => nothing,
            getInitialNotification: async () => ({ data }),
          },
        }
      : {}),
    instead,
  });
}

t.test('React Native reports the notification that started the app', async (test) => {
  const { bodies, instead } = server();
  const engage = onAndroid(instead, true);
  await engage.init(app);
  await engage.user();
  await engage.flush();
  test.match(bodies.get('/e'), {
    events: [{ name: 'clicked', sendId: 'ntf_0', deviceId: 'dev_0', subscriberId: 'sub_0' }],
  });
  await engage.reset();
});

t.test('without a push library everything else works', async (test) => {
  const { bodies, instead } = server();
  const engage = onAndroid(instead, false);
  await engage.init(app);
  test.equal(engage.push.isSupported(), false);
  await test.rejects(engage.push.subscribe(), { code: 'unsupported' });
  await engage.track('looked');
  await engage.flush();
  test.match(bodies.get('/e'), { events: [{ name: 'looked' }] });
  await engage.reset();
});
