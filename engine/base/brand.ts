// Units as types: a number of milliseconds is not a number of seconds.

declare const unit: unique symbol;
type Branded<T, Name extends string> = T & { readonly [unit]?: Name };

/** An instant or a length of time in milliseconds; instants count from the Unix epoch. */
export type Millis = Branded<number, 'ms'>;
/** A length of time, or an instant, in whole seconds. */
export type Seconds = Branded<number, 's'>;
/** A size in bytes. */
export type Bytes = Branded<number, 'bytes'>;
/** The 32-bit number of an org or an app; its low 12 bits are its slot. Never reused. */
export type Ordinal = Branded<number, 'ordinal'>;
/** The 32-bit number of a person within an app. */
export type PersonOrdinal = Branded<number, 'person'>;
/** A point in one partition's log. Gapless. */
export type Seq = Branded<number, 'seq'>;

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
