// Returns an archived journey to lists.

import { journeyAction } from './journey-action.ts';

export const unarchiveJourney = journeyAction('unarchive', {
  summary: 'Unarchive a journey',
  description:
    'Returns an archived journey to lists. It is not live; it can be changed and activated again. A journey that is not archived returns 200 as well. The request has no body.',
});
