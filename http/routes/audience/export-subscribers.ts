// Exports all people of an app as one streamed file. It reads at most one page ahead, so slow
// clients slow it down. A briefly busy shard does not break off a half-sent file.

import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ExportProtocol } from '../../../actors/audiences/export/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { segmentIdSchema } from '../../call/schemas/schemas.ts';

type ExportedPage = ExportProtocol['subscribers.export']['reply'];

const types = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/x-ndjson; charset=utf-8',
} as const;

/** Tries per page while its shard is overloaded. */
const triesMax = 30;

export const exportSubscribers = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers/export',
  summary: 'Export subscribers',
  description: `Streams everyone who existed when the export started, oldest first, as one file. \`jsonl\` is JSON Lines: one subscriber per line, in the same form as reading a subscriber, without \`etag\`.

\`csv\` is RFC 4180 in UTF-8 with a header line. \`devices\` and \`tags\` are JSON, \`preferredChannels\` is joined by \`|\`, and \`null\` is an empty cell. A spreadsheet would run a cell that starts with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a line break as a formula, so such cells start with an apostrophe. To undo it, remove one apostrophe from a cell that consists of apostrophes followed by one of these characters.

If an export fails halfway, the connection is cut: the file is complete only if the response ended normally. An org may run at most four exports at once.`,
  tag: 'Subscribers',
  access: key('read'),
  reads: ['subscriber', 'device'],
  query: z.object({
    format: z.enum(['csv', 'jsonl']).default('csv'),
    segmentId: segmentIdSchema
      .optional()
      .describe('Only members of this segment, evaluated when each page is read.'),
  }),
  responses: {
    200: {
      description: 'The export file.',
      contentType: ['text/csv', 'application/x-ndjson'],
      headers: { 'content-disposition': 'A file name with the app id and the date.' },
    },
  },
  async handle(call) {
    const { format, segmentId } = call.query;
    const app = call.app();
    const day = new Date(call.edge.clock.now()).toISOString().slice(0, 10);
    const page = (from: number, end?: number) =>
      patiently(() =>
        call
          .to<ExportProtocol>(app)
          .ask('subscribers.export', present({ format, segmentId, from, end })),
      );
    // before the response's head, so that a refusal has its own status
    const first = await page(0);
    return {
      status: 200,
      headers: [
        ['content-type', types[format]],
        [
          'content-disposition',
          `attachment; filename="subscribers-${call.param('appId')}-${day}.${format}"`,
        ],
        ['cache-control', 'no-store'],
      ],
      stream: texts(first, (from) => page(from, first.end)),
    };
  },
});

async function* texts(
  first: ExportedPage,
  read: (from: number) => Promise<ExportedPage>,
): AsyncGenerator<Uint8Array> {
  for (let page = first; ; ) {
    const after = page.next === null ? undefined : read(page.next);
    after?.catch(() => undefined); // awaited in its turn, if at all
    yield page.text;
    if (after === undefined) return;
    page = await after;
  }
}

/** Retries, after the fault's delay, while the shard is overloaded. */
async function patiently(ask: () => Promise<ExportedPage>): Promise<ExportedPage> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof FaultError && error.fault.code === 'overloaded';
      if (!isBusy || tries === triesMax) throw error;
      await wait((error.fault.retryAfterSeconds ?? 1) * 1000);
    }
  }
}
