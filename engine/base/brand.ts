// Units as types: a number of milliseconds is not a number of seconds.

declare const unit: unique symbol;
type Branded<T, Name extends string> = T & { readonly [unit]?: Name };

/** An instant since the Unix epoch, or a duration. */
export type Millis = Branded<number, 'ms'>;
/** A duration or instant in whole seconds. */
export type Seconds = Branded<number, 's'>;
export type Bytes = Branded<number, 'bytes'>;
/** 32-bit number of an org or app, never reused; the low 12 bits are its slot. */
export type Ordinal = Branded<number, 'ordinal'>;
/** 32-bit number of a person in an app. */
export type PersonOrdinal = Branded<number, 'person'>;
/** A gapless position in one partition's log. */
export type Seq = Branded<number, 'seq'>;

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
