// Imports opt-outs in bulk, as somebody who moves in has them: each row, the body of an opt-out, is
// accepted or refused by itself. Slices are durable one after another, in the order of the rows.

import { z } from 'zod';
import type {
  AudienceProtocol,
  OptOutInput,
  RowError,
} from '../../../actors/people/audience/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { faultOfIssues } from '../../call/answer/errors.ts';
import { present } from '../../call/answer/present.ts';
import { judgedLater } from '../../call/body/judged-later.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { appIdInput, appIdOnlyQuery, namedApp, namedTwice, ofNamedApp } from '../named-app.ts';
import { suppressionBody } from './suppression-view.ts';

const rowsMax = 5_000;
/** Rows decided in one turn of the app. */
const sliceRows = 250;

const importBody = z
  .object({
    appId: appIdInput,
    rows: z
      .array(judgedLater(suppressionBody))
      .max(rowsMax)
      .describe('Each row has the same fields as the body that records one opt-out.'),
    dryRun: z
      .boolean()
      .default(false)
      .describe('Returns the result that the import would have, and changes nothing.'),
  })
  .meta({
    examples: [
      {
        appId: exampleIds.app,
        rows: [
          { channel: 'email', address: 'ada@example.com', scope: 'marketing' },
          { channel: 'sms', address: '+14155550123', reason: 'STOP, before the move' },
        ],
      },
    ],
  });

const importResult = z
  .object({
    added: z.int().describe('Opt-outs that are new, or cover more than before.'),
    known: z
      .int()
      .describe('Rows about an address that is suppressed already, also by an earlier row.'),
    failed: z.int().describe('Rows that were rejected, each with an entry in `errors`.'),
    errors: z
      .array(
        z.object({
          row: z.int().describe('Index in `rows`, from 0.'),
          error: z.string().describe('What is wrong; starts with the field name.'),
        }),
      )
      .describe('Ordered by `row`.'),
  })
  .meta({
    id: 'SuppressionImportResult',
    examples: [
      {
        added: 1,
        known: 0,
        failed: 1,
        errors: [
          { row: 1, error: 'address: must be a phone number in E.164, such as +14155550123' },
        ],
      },
    ],
  });

type ImportCall = Call<z.output<typeof appIdOnlyQuery>, z.output<typeof importBody>>;

export const importSuppressions = route({
  method: 'POST',
  path: '/v1/import/suppressions',
  summary: 'Import opt-outs',
  description: `Records up to ${rowsMax.toLocaleString('en')} opt-outs, each like \`POST /v1/apps/:appId/suppressions\`, in order. An invalid row is reported in \`errors\` and does not affect the others. The whole import counts as one request. Import opt-outs before the people they are about: then nobody who opted out can be sent to in between. Rows are stored in chunks: if the request fails halfway, the rows before the one named in \`field\` are stored. Sending a row again changes nothing.`,
  tag: 'Suppressions',
  access: key('write'),
  changes: ['suppression'],
  query: appIdOnlyQuery,
  body: importBody,
  responses: { 200: { description: 'The import result.', schema: importResult } },
  refusals: [404],
  async handle(call) {
    const app = namedApp(call, namedTwice(call));
    const result = { added: 0, known: 0 };
    const { rows, places, errors } = judged(call.body.rows);
    for (let from = 0; from === 0 || from < rows.length; from += sliceRows) {
      const slice = rows.slice(from, from + sliceRows);
      const reply = await ask(call, app, slice, from > 0 ? places[from] : undefined);
      result.added += reply.added;
      result.known += reply.known;
      for (const { row, error } of reply.errors)
        errors.push({ row: places[from + row] ?? 0, error });
    }
    errors.sort((one, other) => one.row - other.row);
    return { status: 200, body: { ...result, failed: errors.length, errors } };
  },
});

/** The rows that have the form of an opt-out, and where they were. */
function judged(sent: readonly unknown[]): {
  readonly rows: readonly OptOutInput[];
  readonly places: readonly number[];
  readonly errors: RowError[];
} {
  const rows: OptOutInput[] = [];
  const places: number[] = [];
  const errors: RowError[] = [];
  for (const [row, one] of sent.entries()) {
    const parsed = suppressionBody.safeParse(one, { reportInput: true });
    if (parsed.success) {
      const { scope, ...rest } = parsed.data;
      rows.push(present({ ...rest, scope: scope === 'marketing' ? scope : undefined }));
      places.push(row);
    } else errors.push({ row, error: faultOfIssues(parsed.error, 'body').message });
  }
  return { rows, places, errors };
}

/** `from` is the index of its first row if earlier slices are done. */
async function ask(
  call: ImportCall,
  app: Ordinal,
  rows: readonly OptOutInput[],
  from: number | undefined,
) {
  const isDry = call.body.dryRun ? { isDry: true as const } : {};
  const weight = Math.ceil((call.bytes.byteLength * rows.length) / (call.body.rows.length || 1));
  try {
    return await call
      .to<AudienceProtocol>(app)
      .ask('suppression.import', { rows, ...isDry }, { lane: 'bulk', weight });
  } catch (error) {
    if (from === undefined || !(error instanceof FaultError))
      throw ofNamedApp(error, namedTwice(call));
    const { fault } = error;
    const field = `rows[${from}]`;
    const message = `${field}: valid rows before this one are stored; this one and the rest are not: ${fault.message}`;
    throw new FaultError({ ...fault, field, message });
  }
}
