// A partition's own refusals. Each guarantees that nothing was done, but for those that say so.

import type { Fault } from '../base/fault.ts';

/** The disk only has room for what prevents its filling up. */
export const commitFull: Fault = {
  code: 'disk_full',
  message: 'the disk is nearly full; writes are rejected until space is freed',
  retryAfterSeconds: 30,
};
/** Not even for that: only reads are answered. */
export const diskFull: Fault = {
  code: 'disk_full',
  message: 'the disk is full; nothing can be written until space is freed',
  retryAfterSeconds: 30,
};
/** Not handled before its deadline. */
export const notStarted: Fault = {
  code: 'not_started',
  message:
    'the server was too busy to start this in time; nothing was done and it is safe to retry',
  retryAfterSeconds: 1,
};
export const overloaded: Fault = {
  code: 'overloaded',
  message: 'the server is overloaded; nothing was done and it is safe to retry',
  retryAfterSeconds: 1,
};
export const crashed: Fault = {
  code: 'internal',
  message: 'internal error; nothing was done',
};
/** The owner's entries could not be folded at the start. */
export const quarantinedFault: Fault = {
  code: 'quarantined',
  message:
    'this app is quarantined because of an error in its data; the operator can find it in the log',
};
/** The process ends; nothing new begins. */
export const shuttingDown: Fault = {
  ...overloaded,
  code: 'shutting_down',
  message: 'Engage is shutting down',
};
/** The partition has another owner now. */
export const moved: Fault = {
  code: 'moved',
  message: 'another server has taken over; nothing was done and it is safe to retry',
  retryAfterSeconds: 1,
};
/** The log went on without this process, which cannot read what became of it. */
export const outcomeUnknown: Fault = {
  code: 'unanswered',
  message: 'another server has taken over; whether this was done is not known',
};
/** Another server took it, and no answer came back. */
export const unanswered: Fault = {
  code: 'unanswered',
  message:
    'another server of the cluster took the request and did not answer; it may have been done',
  retryAfterSeconds: 1,
};
