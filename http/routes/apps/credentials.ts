// An app's credentials for providers, without their texts.

import { z } from 'zod';
import { credentialNames } from '../../../actors/channels/catalog.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { pageOf } from '../../call/answer/page.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, pageQuery } from '../../call/schemas/schemas.ts';
import {
  credentialNamed,
  credentialParam,
  credentialSchema,
  credentialView,
} from './credential-view.ts';

export const listCredentials = route({
  method: 'GET',
  path: '/v1/apps/:appId/credentials',
  summary: 'List credentials',
  description: 'Web push keys are generated with the app, so `webpush` is always listed.',
  tag: 'Credentials',
  access: key('admin'),
  reads: ['credential'],
  query: z.object(pageQuery),
  responses: {
    200: { description: 'Credentials by channel.', schema: countedPage(credentialSchema) },
  },
  async handle(call) {
    const credentials = await call.to<AccountsProtocol>(call.app()).ask('credential.list', {});
    const items = credentials.map(credentialView);
    const isName = (cursor: string) => credentialNames.some((name) => name === cursor);
    return { status: 200, body: pageOf(items, call.query, ({ channel }) => channel, isName) };
  },
});

export const deleteCredential = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/credentials/:channel',
  summary: 'Delete a credential',
  description: 'Web push keys cannot be deleted; upload new keys to replace them.',
  tag: 'Credentials',
  access: key('admin'),
  changes: ['credential'],
  edits: 'credential.delete',
  params: { channel: credentialParam },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [409],
  async handle(call) {
    const app = call.app();
    const channel = credentialNamed(call.param('channel'));
    await call.to<AccountsProtocol>(app).ask('credential.delete', { channel });
    return { status: 204 };
  },
});
