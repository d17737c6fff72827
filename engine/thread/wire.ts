// What crosses the links: requests, answers and notices, grants, outcomes. Tuples, because they are
// cloned hundreds of thousands of times a second.

import type { Answer, Lane, Message } from '../actor/message.ts';
import type { Millis, Ordinal } from '../base/brand.ts';

/** `partition` of a request to the thread itself. */
export const threadItself = -1;

/** Correlation 0 is a tell. Bytes travel beside it; `weight` is the message's approximate size. */
export type RequestItem = readonly [
  correlation: number,
  partition: number,
  to: Ordinal,
  lane: 0 | 1,
  deadlineMs: Millis,
  message: Message,
  weight: number,
];

/** A shard's or dispatcher's answer; with correlation 0 a notice for the front. */
export type AnswerItem = readonly [correlation: number, answer: Answer | Message];

/** From shard to dispatcher: a grant, or the answer to a question. */
export type GrantItem = Message;

/**
 * From dispatcher to granting shard, for an owner's actor; the last is for the thread itself. With
 * a correlation it is a question to answer.
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
