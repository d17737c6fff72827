// The key of the editor of a thing that gets its id while it is written: the editor stays as it is
// then, and nothing else ever gets it.

import { useState } from 'react';

interface Place {
  readonly id: string | undefined;
  /** Each visit to a new thing has its own. */
  readonly nth: number;
  /** What the new thing of this visit became. */
  readonly made: string | undefined;
}

interface NewEditor {
  /** For the editor at this address; two addresses share it only if one became the other. */
  readonly key: string;
  /** Whether it began as a new thing. */
  readonly isNew: boolean;
  /** Called before the address changes. */
  readonly onMade: (id: string) => void;
}

/** `newId`: what stands in the address in place of an id. */
export function useNewEditor(id: string | undefined, newId: string): NewEditor {
  const [before, setPlace] = useState<Place>({ id, nth: 0, made: undefined });
  const place = before.id === id ? before : moved(before, id, newId);
  if (place !== before) setPlace(place);
  const isNew = id === newId || (id !== undefined && id === place.made);
  return {
    key: isNew ? `${newId}.${place.nth}` : (id ?? ''),
    isNew,
    onMade: (made) => setPlace((now) => ({ ...now, made })),
  };
}

function moved({ nth, made }: Place, id: string | undefined, newId: string): Place {
  if (id === newId) return { id, nth: nth + 1, made: undefined };
  return { id, nth, made: id === made ? made : undefined };
}
