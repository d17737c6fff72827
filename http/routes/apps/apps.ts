// The apps of an org.

import { z } from 'zod';
import { makeVapidKeys } from '../../../actors/channels/webpush/vapid-keys.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import type { AppRecord } from '../../../actors/tenants/accounts/records.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { pagesBy } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { requireOrgKey } from '../org-key.ts';
import { appBody, appPatch, appSchema, appView } from './app-view.ts';

/** With its own web push key pair, made here because actors make no secrets. */
export const createApp = route({
  method: 'POST',
  path: '/v1/apps',
  summary: 'Create an app',
  description: 'An app is one audience with its own subscribers, messages and events.',
  tag: 'Apps',
  access: key('admin'),
  changes: ['app'],
  body: appBody,
  creates: { kind: 'app.create', prefix: 'app', read: '/v1/apps/:appId' },
  responses: { 201: { description: 'The app.', schema: appSchema } },
  refusals: [409],
  async handle(call) {
    requireOrgKey(call, 'apps are');
    const { name, timezone } = call.body;
    const vapid = await makeVapidKeys();
    const app = await call
      .to<AccountsProtocol>(call.org)
      .ask('app.create', { name, timezone, vapid });
    return { status: 201, body: appView(app, vapid.publicKey) };
  },
});

export const listApps = route({
  method: 'GET',
  path: '/v1/apps',
  summary: 'List apps',
  description: 'An app-scoped key sees only its own app.',
  tag: 'Apps',
  access: key('read'),
  reads: ['app', 'credential', 'settings'],
  query: z.object(listQuery),
  responses: { 200: { description: 'Apps.', schema: countedPage(appSchema) } },
  async handle(call) {
    const only = call.grant?.appId ?? null;
    const apps = await call.to<AccountsProtocol>(call.org).ask('app.list', {});
    const seen = apps.filter(({ id }) => only === null || id === only);
    const { items, nextCursor, total } = pagesBy('app')(seen, call.query);
    const views = await Promise.all(items.map((app) => viewed(call, app)));
    return {
      status: 200,
      body: { items: views.filter((view) => view !== undefined), nextCursor, total },
    };
  },
});

/** With the web push key from its own actor; `undefined` if deleted since the list was read. */
async function viewed(call: Call<unknown, unknown>, app: AppRecord) {
  try {
    const { vapidPublicKey } = await call.to<AccountsProtocol>(app.ordinal).ask('app.read', {});
    return appView(app, vapidPublicKey);
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'not_found') return undefined;
    throw error;
  }
}

export const readApp = route({
  method: 'GET',
  path: '/v1/apps/:appId',
  summary: 'Read an app',
  tag: 'Apps',
  access: key('read'),
  reads: ['app', 'credential', 'settings'],
  responses: { 200: { description: 'The app.', schema: appSchema } },
  async handle(call) {
    const app = await call.to<AccountsProtocol>(call.app()).ask('app.read', {});
    return { status: 200, body: appView(app, app.vapidPublicKey) };
  },
});

export const updateApp = route({
  method: 'PATCH',
  path: '/v1/apps/:appId',
  summary: 'Update an app',
  tag: 'Apps',
  access: key('write'),
  changes: ['app'],
  edits: 'app.update',
  body: appPatch,
  responses: { 200: { description: 'The updated app.', schema: appSchema } },
  async handle(call) {
    const { name, timezone } = call.body;
    const owner = call.app();
    const app = await call
      .to<AccountsProtocol>(owner)
      .ask('app.update', present({ name, timezone }));
    const { vapidPublicKey } = await call.to<AccountsProtocol>(owner).ask('app.read', {});
    return { status: 200, body: appView(app, vapidPublicKey) };
  },
});

export const deleteApp = route({
  method: 'DELETE',
  path: '/v1/apps/:appId',
  summary: 'Delete an app and all its data',
  description: "Cannot be undone. The app's keys stop working, and pending sends are dropped.",
  tag: 'Apps',
  access: key('admin'),
  changes: ['app'],
  edits: 'app.delete',
  responses: { 204: { description: 'Deleted.' } },
  async handle(call) {
    requireOrgKey(call, 'apps are');
    await call.to<AccountsProtocol>(call.app()).ask('app.delete', {});
    return { status: 204 };
  },
});
