// Answers a forecast: waits in the queue of insights, asks the app's actor for facts, has the pool
// read. Queueing comes first, so that refused questions gather no facts.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions, MessageOf } from '../../../engine/actor/protocol.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { stoppedFault } from '../../insight-turn.ts';
import { limits } from '../../limits.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { type CredentialRules, configuredChannels } from '../../sending/outbox/open-credentials.ts';
import { withJourney } from './author.ts';
import { stepTtls } from './copies.ts';
import type { JourneysMemory } from './memory.ts';
import { forecastRead } from './pool-read.ts';
import type { ForecastFacts, JourneysInside, JourneysProtocol } from './protocol.ts';

export function forecastingDecisions(
  rules: CredentialRules,
): Decisions<Pick<JourneysInside, 'journey.forecast_facts'>, JourneysMemory> {
  return {
    'journey.forecast_facts': (state, { id, days }, context) =>
      withJourney(state, id, context, ({ record }, app) => {
        const kept = app.settings.eventsRetentionDays ?? limits.eventsRetentionDays;
        if (days > kept)
          return refused(
            fieldFault('days', `this app keeps events for ${kept} days; expected 1 to ${kept}`),
          );
        const { program, reentry, triggerEvent, triggerSegmentId } = record;
        const entry = app.segments.get(triggerSegmentId ?? '')?.filter;
        const { caps, quietHours, goneBeforeMs } = app.settings;
        return accepted({
          nowMs: context.nowMs,
          days,
          ...(goneBeforeMs === undefined ? {} : { goneBeforeMs }),
          program,
          reentry,
          ...(triggerEvent === undefined ? {} : { triggerEvent }),
          ...(entry === undefined ? {} : { entry }),
          ttlMs: Object.fromEntries(stepTtls(record, context)),
          timezone: app.record.timezone,
          settings: { caps, quietHours },
          configured: [...configuredChannels(app, rules)],
          topics: [...app.topics],
          erased: [...app.people.erased],
          merged: app.people.merged(),
        });
      }),
  };
}

export const answerForecast: PoolQuestion<MessageOf<JourneysProtocol, 'journey.forecast'>> = (
  host,
  app,
  question,
  answer,
) =>
  host.insights.enter(
    question,
    app,
    (turn) => {
      const finish: typeof answer = (value) => {
        turn.end();
        answer(value);
      };
      const asked = { ...question, kind: 'journey.forecast_facts' };
      askActor<ForecastFacts>(host, app, asked, finish, (facts) => {
        const what = { app, facts, stop: turn.stop.word };
        readFor(host, app, forecastRead, what, finish, (found) =>
          finish(found === null ? { ok: false, fault: stoppedFault } : { ok: true, value: found }),
        );
      });
    },
    (fault) => answer({ ok: false, fault }),
  );
