// Uploads a channel's credential for an app. Its body depends on the channel, so the channel's own check words what is
// wrong; the description lists all of them.

import { z } from 'zod';
import { credentialNames } from '../../../actors/channels/catalog.ts';
import { checkCredential, credentialSchemas } from '../../../actors/channels/credentials.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { key, route } from '../../route.ts';
import {
  credentialNamed,
  credentialParam,
  credentialSchema,
  credentialView,
} from './credential-view.ts';

const credentialBody = z.record(z.string(), z.unknown()).meta({
  id: 'CredentialUpload',
  description: 'What each channel needs; members beyond those are ignored.',
  anyOf: credentialNames.map((name) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(credentialSchemas[name], {
      io: 'input',
      unrepresentable: 'any',
    });
    return { ...schema, title: name };
  }),
  examples: [
    {
      accountSid: 'AC00000000000000000000000000000000',
      authToken: '00000000000000000000000000000000',
      from: '+14155550123',
    },
  ],
});

export const putCredential = route({
  method: 'POST',
  path: '/v1/apps/:id/credentials/:channel',
  summary: "Upload a channel's credential",
  description:
    'Checked on upload: keys must parse, tokens must have their form. A second upload replaces the first. It is kept sealed and never read back.',
  tag: 'Credentials',
  access: key('admin'),
  lane: 'standard',
  params: { id: 'Id of the app.', channel: credentialParam },
  body: credentialBody,
  responses: { 201: { description: 'What was stored.', schema: credentialSchema } },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const channel = credentialNamed(call.param('channel'));
    const checked = checkCredential(channel, call.body);
    if ('code' in checked) throw new FaultError(checked);
    const { credential, fingerprint } = checked;
    const stored = await call.ask(app, 'credential.put', { channel, credential, fingerprint });
    return { status: 201, body: credentialView(stored) };
  },
});
