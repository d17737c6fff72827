// Puts a journey away, with its stats.

import { journeyAction } from './journey-action.ts';

export const archiveJourney = journeyAction('archive', {
  summary: 'Archive a journey',
  description:
    'Removes a journey that is not live from lists, unless they ask for archived ones. Its stats stay, and people in flight exit at their next wake, as after any pause. Archiving it again returns 200. A live journey is a 409: pause it first. So are changing and activating an archived one. The request has no body.',
});
