// The questions that a shard answers with its pool, by message kind.

import type { Message } from '../../engine/actor/message.ts';
import type { PoolQuestion } from '../pool-question.ts';
import { type AnyArea, areas } from './areas.ts';

const questions = new Map(areas.flatMap(({ asks }: AnyArea) => Object.entries(asks ?? {})));

/** `undefined` for messages that their actor answers alone. */
export function poolQuestion(kind: string): PoolQuestion<Message> | undefined {
  return questions.get(kind) as PoolQuestion<Message> | undefined;
}
