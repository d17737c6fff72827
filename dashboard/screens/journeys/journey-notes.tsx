// What stands above a journey's drawing: that it is live, what is doubtful, what rests.

import type { Journey } from '../../api/generated.ts';
import { DoubtsNote } from './doubts.tsx';
import { FrozenNote } from './frozen.tsx';
import { RestingNotes } from './resting.tsx';

export function JourneyNotes({ journey }: { readonly journey: Journey }) {
  return (
    <>
      {journey.active && <FrozenNote journey={journey} />}
      <DoubtsNote journey={journey} />
      <RestingNotes journey={journey} />
    </>
  );
}
