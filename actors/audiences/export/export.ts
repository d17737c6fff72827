// Answers one page of an export. The app's actor gives what only memory has of the next ordinals
// (last activity, erasures), and the pool reads their records. No state is kept between pages: the
// caller sends the ordinal to continue from. Each page sees the newest commit: an export has
// everyone who existed at its start and was not erased since, as of their page.

import { accepted, type Message } from '../../../engine/actor/message.ts';
import type { Decisions, MessageOf, ReplyOf } from '../../../engine/actor/protocol.ts';
import type { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { withCounted } from '../segments/counted.ts';
import { audienceOf } from '../segments/evaluate.ts';
import type { CountedTimes } from '../segments/protocol.ts';
import { withTraits } from '../segments/with-traits.ts';
import type { ExportMemory, ExportView } from './memory.ts';
import { exportRead } from './pool-read.ts';
import type { ExportProtocol } from './protocol.ts';

type Window = ReplyOf<ExportProtocol, 'subscribers.window'>;

/** Ordinals per page, which bounds what an actor copies: 40 KB, some microseconds. */
const exportWindowMax = 10_000;

/** The host answers `subscribers.export`, after `subscribers.window`. */
export const exportDecisions: Omit<
  Decisions<ExportProtocol, ExportMemory>,
  'subscribers.export'
> = {
  'subscribers.window': (state, { segmentId, from, end, times }, context) => {
    if (segmentId === undefined)
      return withApp(state, context, (app) => accepted<Window>(windowOf(app, from, end)));
    return withTraits(state, { segmentId }, times, context, (filter, traits, app) => {
      const found = audienceOf(filter, traits, context.nowMs);
      return accepted<Window>(windowOf(app, from, end, found));
    });
  },
};

/** The next page: so many ordinals, or so many members of a segment. */
function windowOf(
  { people, traits, suppressions, marketingOptOuts }: ExportView,
  from: PersonOrdinal,
  end: PersonOrdinal | undefined,
  found?: Bitset,
): Window {
  const hasOptOuts = suppressions.size + marketingOptOuts.size > 0;
  const last = Math.min(end ?? people.next, people.next);
  if (found === undefined) {
    const to = Math.min(last, from + exportWindowMax);
    const lastActive = traits.activity.between(from, to);
    return { from, to, end: last, lastActive, hasOptOuts, erased: people.erasedWithin(from, to) };
  }
  const members: PersonOrdinal[] = [];
  let to = found.nextFrom(from);
  for (; to >= 0 && to < last && members.length < exportWindowMax; to = found.nextFrom(to + 1))
    members.push(to);
  return {
    from,
    to: to < 0 ? last : Math.min(to, last),
    end: last,
    members: Uint32Array.from(members),
    lastActive: Float64Array.from(members, (person) => traits.activity.at(person)),
    hasOptOuts,
    erased: [],
  };
}

export const exportPage: PoolQuestion<MessageOf<ExportProtocol, 'subscribers.export'>> = (
  host,
  app,
  { format, ...page },
  answer,
) => {
  const ask = (times?: CountedTimes) => {
    const asked: Message = { ...page, ...(times && { times }), kind: 'subscribers.window' };
    askActor<Window>(host, app, asked, answer, ({ end, ...window }) =>
      readFor(host, app, exportRead, { app, format, ...window }, answer, ({ text, next }) =>
        answer({ ok: true, value: { text, next: next < end ? next : null, end } }),
      ),
    );
  };
  if (page.segmentId === undefined) ask();
  else withCounted(host, app, page, { segmentId: page.segmentId }, answer, ask);
};
