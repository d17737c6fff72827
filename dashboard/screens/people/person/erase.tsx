// Erases a person, once their name was typed.

import type { Subscriber } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { personId, personName } from '../../../person/person-ref.ts';
import { Confirm } from '../../../ui/dialog.tsx';
import { tellDone } from '../../../ui/toast.tsx';
import { words } from './words.ts';

export function Erase({
  person,
  isOpen,
  onClose,
  onErased,
}: {
  readonly person: Subscriber;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onErased: () => void;
}) {
  const app = useApp();
  const name = personName(person);
  const remove = useAct('deleteSubscriber');
  return (
    <Confirm
      title={words.eraseTitle(name)}
      action={words.erase}
      typed={personId(person)}
      isOpen={isOpen}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { path: { appId: app.id, id: person.id }, base: person },
          {
            onSuccess: () => {
              tellDone(words.erased(name));
              onErased();
            },
          },
        )
      }
    >
      {words.eraseText}
    </Confirm>
  );
}
