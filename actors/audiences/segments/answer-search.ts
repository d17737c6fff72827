// Answers a search of people. The first search by name prepares the values of the name's tags, some
// at a time, so that the actor's other messages run in between: two seconds for a million.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { askActor, type PoolQuestion } from '../../pool-question.ts';
import { answerOptional } from './counted.ts';
import type { SearchProtocol } from './protocol.ts';

type Reply = SearchProtocol['people.fold_names']['reply'];

export const answerSearch: PoolQuestion<MessageOf<SearchProtocol, 'people.search'>> = (
  host,
  app,
  asked,
  answer,
) => {
  const search = () => answerOptional(host, app, asked, answer);
  const prepare = () =>
    askActor<Reply>(host, app, { ...asked, kind: 'people.fold_names' }, answer, ({ waiting }) =>
      waiting > 0 ? prepare() : search(),
    );
  if (asked.q === undefined) search();
  else prepare();
};
