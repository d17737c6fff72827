// Decides about opt-outs: one, many of an import, and their removal.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import { notFound } from '../../faults.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { aboutSend } from '../about-send.ts';
import { addOptOut } from './add-opt-out.ts';
import { doubtAtEnds } from './doubtful-opt-outs.ts';
import { endpointPolicy, takesMarketing } from './identity.ts';
import { importOptOuts } from './import-opt-outs.ts';
import type { AudienceMemory } from './memory.ts';
import type { AudienceEntry, AudienceProtocol } from './protocol.ts';
import { pageOfSuppressions, suppressible } from './suppression-page.ts';

type SuppressionMessages = Pick<
  AudienceProtocol,
  `suppression.${'add' | 'import' | 'remove' | 'list'}`
>;

export const suppressionDecisions: Decisions<SuppressionMessages, AudienceMemory> = {
  'suppression.add': (state, { channel, address, reason, source, scope: asked, about }, context) =>
    withApp(state, context, (app) => {
      // What a provider or a link names is in E.164 already.
      const policy = source === 'api' ? endpointPolicy(app.settings) : {};
      const key = suppressible(channel, address, policy);
      if (typeof key !== 'string') return refused(key.fault);
      // Whether the link of a marketing email ends marketing alone is the app's to say.
      const isNarrow = source !== 'unsubscribe' || app.settings.unsubscribeScope === 'marketing';
      const narrow = asked !== undefined && isNarrow ? { scope: asked } : {};
      const unsubscribedBy = source === 'unsubscribe' ? source : undefined;
      const how = { source, unsubscribedBy, channel, ...narrow };
      const why = reason === undefined ? {} : { reason };
      const sent = about === undefined ? {} : { about: aboutSend(app, about) };
      const { row, entries, documents } = addOptOut(key, { ...how, ...why, ...sent }, context);
      const ended = doubtAtEnds(app, key, context.owner);
      return accepted(row, { entries: [...ended, ...entries], documents });
    }),

  'suppression.remove': (state, { channel, address }, context) =>
    withApp(state, context, (app) => {
      const key = suppressible(channel, address, endpointPolicy(app.settings));
      if (typeof key !== 'string') return refused(key.fault);
      if (takesMarketing(app, key)) return refused(notFound('suppression'));
      const entry: AudienceEntry = {
        kind: 'suppression.removed',
        owner: context.owner,
        identityKey: key,
      };
      return accepted(null, {
        entries: [entry],
        documents: [{ table: suppressions, key: [key], value: undefined }],
      });
    }),

  'suppression.import': (state, { rows, isDry }, context) =>
    withApp(state, context, (app) => {
      const [reply, written] = importOptOuts(app, rows, context);
      return isDry ? accepted(reply) : accepted(reply, written);
    }),

  'suppression.list': (state, asked, context) =>
    withApp(state, context, (app) => pageOfSuppressions(app, asked, context.documents)),
};
