// Erases a person, once their name was typed.

import type { Subscriber } from '../../../api/generated.ts';
import { actionsOn, asShown, removing } from '../../../kit/action.ts';
import { personId, personName } from '../../../person/person-ref.ts';
import { words } from './words.ts';

export const erase = actionsOn<Subscriber>()({
  ...removing(words.erase),
  confirm: (person) => ({
    title: words.eraseTitle(personName(person)),
    text: words.eraseText,
    typed: personId(person),
  }),
  operation: 'deleteSubscriber',
  args: asShown,
  done: (person) => words.erased(personName(person)),
  goTo: () => ['people'],
});
