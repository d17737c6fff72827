// What stands above a journey's drawing: that it is live, its warnings, and who rests.

import type { Journey } from '../../api/generated.ts';
import { FrozenNote } from './frozen.tsx';
import { RestingNotes } from './resting.tsx';
import { WarningsNote } from './warnings.tsx';

export function JourneyNotes({ journey }: { readonly journey: Journey }) {
  return (
    <>
      {journey.active && <FrozenNote journey={journey} />}
      <WarningsNote journey={journey} />
      <RestingNotes journey={journey} />
    </>
  );
}
