// What crosses the links: requests from the front to shards, answers and notices back, grants to
// dispatchers and their outcomes back to shards. Tuples, because they are cloned hundreds of
// thousands of times a second.

import type { Answer, Lane, Message } from '../actor/message.ts';
import type { Millis, Ordinal } from '../base/brand.ts';

/** `partition` of a request that is for the thread itself, not for one of its partitions. */
export const threadItself = -1;

/**
 * A request: correlation 0 is a tell. The bytes travel beside it; `weight` is about what the
 * message holds itself.
 */
export type RequestItem = readonly [
  correlation: number,
  partition: number,
  to: Ordinal,
  lane: 0 | 1,
  deadlineMs: Millis,
  message: Message,
  weight: number,
];

/**
 * From a shard or dispatcher: an answer to a request, or (correlation 0) a notice for the front.
 */
export type AnswerItem = readonly [correlation: number, answer: Answer | Message];

/** From a shard to a dispatcher: a grant, or the answer to a question. */
export type GrantItem = Message;

/**
 * From a dispatcher to the shard that granted: a message for an owner's actor; its last is for the
 * thread itself. One with a correlation is a question, and is answered.
 */
export type OutcomeItem = readonly [
  partition: number,
  to: Ordinal,
  message: Message,
  correlation?: number,
];

export function laneCode(lane: Lane): 0 | 1 {
  return lane === 'express' ? 0 : 1;
}

export function laneOf(code: 0 | 1): Lane {
  return code === 0 ? 'express' : 'bulk';
}
