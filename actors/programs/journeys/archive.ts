// Puts journeys away and takes them back. Only one that is not live: archiving never stops a send.
// Its runs go on leaving, as after every pause, and its stats stay.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { fault } from '../../faults.ts';
import { savedJourney, withJourney } from './author.ts';
import type { JourneysProtocol } from './protocol.ts';
import type { JourneysMemory } from './view.ts';

export const archivingDecisions: Decisions<
  Pick<JourneysProtocol, 'journey.archive' | 'journey.unarchive'>,
  JourneysMemory
> = {
  'journey.archive': (state, { id }, context) =>
    withJourney(state, id, context, ({ record }) => {
      if (record.active)
        return refused(
          fault(
            'wrong_state',
            'this journey is live and cannot be archived. Pause it first with active: false',
          ),
        );
      if (record.archivedMs !== undefined) return accepted(record);
      const { nowMs } = context;
      const journey = { ...record, archivedMs: nowMs, updatedMs: nowMs };
      return accepted(journey, { entries: [savedJourney(journey, context)] });
    }),

  'journey.unarchive': (state, { id }, context) =>
    withJourney(state, id, context, ({ record }) => {
      const { archivedMs, ...rest } = record;
      if (archivedMs === undefined) return accepted(record);
      const journey = { ...rest, updatedMs: context.nowMs };
      return accepted(journey, { entries: [savedJourney(journey, context)] });
    }),
};
