// Imports people in bulk: each row, an upsert's body, is accepted or refused by itself. Slices of
// counted work run one after another on the bulk lane, so that rows apply in order and others get
// their turns. Each slice is durable; a call that fails halfway reports the row to resend from.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import {
  type ImportCounts,
  noCounts,
  withSlice,
} from '../../../actors/people/audience/import/import-counts.ts';
import { packRows, type SliceRows } from '../../../actors/people/audience/import/pack-rows.ts';
import type {
  AudienceProtocol,
  RowError,
  SubscriberInput,
} from '../../../actors/people/audience/protocol.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { judgedLater } from '../../call/body/judged-later.ts';
import { mayHoldBroken } from '../../call/body/well-formed.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { appIdInput, appIdOnlyQuery, namedApp, namedTwice, ofNamedApp } from '../named-app.ts';
import { AddressSummary, addressFlagsSchema } from './address-flags-shape.ts';
import { consentSchema } from './consent-shape.ts';
import { type ReadImport, readImport, rowsMax, type Slice, sliceWorkMax } from './import-bytes.ts';
import { readRow } from './import-row.ts';
import { consentWarnings, senderWarnings } from './sender-warnings.ts';
import { subscriberBody } from './subscriber-shape.ts';

const importBody = z
  .object({
    appId: appIdInput,
    rows: z
      .array(judgedLater(subscriberBody))
      .max(rowsMax)
      .describe('Each row has the same fields as the body of a subscriber upsert.'),
    dryRun: z
      .boolean()
      .default(false)
      .describe('Returns the result that the import would have, and changes nothing.'),
    consent: consentSchema.optional(),
  })
  .meta({
    examples: [
      {
        appId: exampleIds.app,
        rows: [
          {
            externalUserId: 'customer-42',
            tags: { first_name: 'Ada', plan: 'pro' },
            preferredChannels: ['email'],
            devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
          },
        ],
      },
    ],
  });

const importResult = z
  .object({
    created: z.int().describe('Rows that created a subscriber.'),
    updated: z
      .int()
      .describe(
        'Rows about an existing subscriber, including one created by an earlier row of this request. A row that the subscriber matches already counts too; it writes nothing, and `updatedAt` stays.',
      ),
    unconfirmed: z
      .int()
      .optional()
      .describe(
        'With `consent: "doubleOptIn"`: people of these rows with an address or a topic that waits for their confirmation, those who were asked earlier included.',
      ),
    keptOut: z
      .int()
      .optional()
      .describe(
        'Choices in these rows of topics that the person is out of, if there are any: they stay out. A list may be older than their choice; `PUT …/subscribers/:id/preferences` can bring a person back.',
      ),
    ...consentWarnings,
    addressFlags: addressFlagsSchema,
    failed: z
      .int()
      .describe('Rows that were rejected, each with an entry in `errors` without `device`.'),
    errors: z
      .array(
        z.object({
          row: z.int().describe('Index in `rows`, from 0.'),
          device: z
            .int()
            .optional()
            .describe(
              'Index in `devices` of the row, from 0: only this device was skipped, and the row was imported. Omitted if the whole row was rejected.',
            ),
          error: z.string().describe('What is wrong; starts with the field name.'),
        }),
      )
      .describe('Ordered by `row`. A row may have several, one for each skipped device.'),
  })
  .meta({
    id: 'ImportResult',
    examples: [
      {
        created: 998,
        updated: 1,
        addressFlags: [
          {
            flag: 'typo',
            count: 1,
            samples: [{ row: 12, device: 0, domain: 'gmial.com', meant: 'gmail.com' }],
          },
        ],
        failed: 1,
        errors: [
          { row: 3, device: 1, error: 'devices[1].endpoint: must be an email address' },
          { row: 7, error: 'externalUserId: expected a string, received a number' },
        ],
      },
    ],
  });

export const importSubscribers = route({
  method: 'POST',
  path: '/v1/import/subscribers',
  summary: 'Import subscribers',
  description: `Upserts up to ${rowsMax.toLocaleString('en')} rows, each like \`POST /v1/apps/:appId/subscribers\`, in order. An invalid row is reported in \`errors\` and does not affect the others. Nor does an invalid device affect the rest of its row: the person and the other devices are stored, unless nothing is left that could name or reach the person (no \`externalUserId\` and no device). The whole import counts as one request. The body is at most 1 MiB and ${limits.importNodesMax.toLocaleString('en')} JSON values (objects, arrays, strings, numbers and literals each count as one). Rows are stored in chunks: if the request fails halfway, the rows before the one named in \`field\` are imported; send the rest again. Sending a row again changes nothing, except that a row without \`externalUserId\` creates a new subscriber each time. With \`consent: "doubleOptIn"\`, email addresses that take no messages yet wait: each gets one mail that asks for a confirmation, and nothing else until its owner confirms. The mails go out at ${limits.optInOwedPerMinute} per minute; \`GET /v1/apps/:appId/opt-ins\` has how many are left. Who was asked in the last ${limits.optInAskAgainDays} days, or has opted out, is not asked.`,
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device', 'tag-name'],
  query: appIdOnlyQuery,
  body: importBody,
  readBytes: readBody,
  judgesTexts: true,
  valuesMax: limits.importNodesMax,
  responses: { 200: { description: 'The import result.', schema: importResult } },
  refusals: [404],
  async handle(call) {
    const app = namedApp(call, namedTwice(call));
    if (call.body.dryRun) return { status: 200, body: await tried(call, app) };
    const errors: RowError[] = [];
    let counts = noCounts;
    let done = 0; // slices
    const send = async (slice: Slice, packed: SliceRows): Promise<void> => {
      let { places } = slice;
      let next = packed;
      errors.push(...slice.errors);
      do {
        const reply = await ask(call, app, next, rowBytes, done > 0 ? places[0] : undefined);
        counts = withSlice(counts, reply);
        errors.push(...reply.errors.map((one) => ({ ...one, row: places[one.row] ?? one.row })));
        done++;
        if (reply.handled === places.length) return;
        places = places.slice(reply.handled);
        next = packRows(slice.rows().slice(-places.length));
      } while (places.length > 0);
    };
    let sending = Promise.resolve();
    const { slices, rowCount, addresses } = slicesOfCall(call);
    const rowBytes = call.bytes.byteLength / Math.max(1, rowCount);
    for (const slice of slices) {
      const packed = slice.packed();
      await sending; // meanwhile this slice was read
      sending = send(slice, packed);
    }
    await sending;
    const warned = await senderWarnings(call, app, 'consent', isAsking(call));
    return {
      status: 200,
      body: { ...result(counts, errors), ...warned, ...(await toldOf(call, app, addresses)) },
    };
  },
});

/** What the import would answer. */
async function tried(call: ImportCall, app: Ordinal): Promise<z.output<typeof importResult>> {
  const addresses = new AddressSummary();
  const slices = [...slicesOf(call.body.rows, mayHoldBroken(call.bytes), addresses)];
  const places = slices.flatMap((slice) => slice.places);
  const rows = slices.flatMap((slice) => slice.rows());
  const weight = call.bytes.byteLength;
  try {
    const { errors, ...counts } = await call
      .to<AudienceProtocol>(app)
      .ask('subscriber.try_import', { rows, ...consentOf(call) }, { lane: 'bulk', weight });
    const warned = await senderWarnings(call, app, 'consent', isAsking(call));
    const whole = result(counts, [
      ...slices.flatMap((slice) => slice.errors),
      ...errors.map((one) => ({ ...one, row: places[one.row] ?? one.row })),
    ]);
    return { ...whole, ...warned, ...(await toldOf(call, app, addresses)) };
  } catch (error) {
    throw ofNamedApp(error, namedTwice(call));
  }
}

function toldOf(call: ImportCall, app: Ordinal, addresses: AddressSummary) {
  return addresses.told(async () => {
    const domains = await call.to<AccountsProtocol>(app).ask('email_domain.list', {});
    return new Map(domains.map((one) => [one.domain, one]));
  });
}

function isAsking({ body: { consent } }: ImportCall): boolean {
  return consent === 'doubleOptIn';
}

function consentOf({ body: { consent } }: ImportCall) {
  return present({ consent });
}

function result(counts: ImportCounts, errors: readonly RowError[]): z.output<typeof importResult> {
  const ordered = errors.toSorted(
    (one, other) => one.row - other.row || (one.device ?? 0) - (other.device ?? 0),
  );
  const failed = ordered.filter(({ device }) => device === undefined).length;
  return { ...counts, failed, errors: ordered };
}

/** The body, and the slices of one that was read from its bytes; `rows` is empty then. */
type ImportBody = z.output<typeof importBody> & { readonly read?: ReadImport };

function readBody(bytes: Uint8Array): ImportBody | undefined {
  const read = readImport(bytes);
  return (
    read && {
      ...present({ appId: read.appId, consent: read.consent }),
      rows: [],
      dryRun: false,
      read,
    }
  );
}

function slicesOfCall({ body, bytes }: ImportCall) {
  const { read, rows }: ImportBody = body;
  if (read !== undefined) return read;
  const addresses = new AddressSummary();
  const slices = slicesOf(rows, mayHoldBroken(bytes), addresses);
  return { slices, rowCount: rows.length, addresses };
}

/** A slice at a time; at least one, possibly empty, so that the app's actor checks the app. */
function* slicesOf(
  sent: readonly unknown[],
  mayBeBroken: boolean,
  addresses: AddressSummary,
): Generator<Slice> {
  let [rows, places, errors] = emptySlice();
  let work = 0;
  const slice = (): Slice => {
    const own = rows;
    return { places, errors, packed: () => packRows(own), rows: () => own };
  };
  for (const [place, one] of sent.entries()) {
    const row = readRow(one, mayBeBroken);
    work += 1;
    if ('problem' in row) errors.push({ row: place, error: row.problem });
    else {
      work += row.devices?.length ?? 0;
      rows.push(row);
      addresses.addRow(place, row);
      places.push(place);
    }
    if (work < sliceWorkMax) continue;
    yield slice();
    [rows, places, errors] = emptySlice();
    work = 0;
  }
  if (work > 0 || sent.length === 0) yield slice();
}

function emptySlice(): [rows: SubscriberInput[], places: number[], errors: RowError[]] {
  return [[], [], []];
}

type ImportCall = Call<z.output<typeof appIdOnlyQuery>, z.output<typeof importBody>>;

/** `from` is the index of its first row if earlier slices are done. */
async function ask(
  call: ImportCall,
  app: Ordinal,
  slice: SliceRows,
  rowBytes: number,
  from: number | undefined,
) {
  try {
    const weight = Math.ceil(slice.rows.length * rowBytes);
    return await call
      .to<AudienceProtocol>(app)
      .ask('subscriber.import', { ...slice, ...consentOf(call) }, { lane: 'bulk', weight });
  } catch (error) {
    if (from === undefined || !(error instanceof FaultError))
      throw ofNamedApp(error, namedTwice(call));
    const { fault } = error;
    const field = `rows[${from}]`;
    const message = `${field}: valid rows before this one are imported; this one and the rest are not: ${fault.message}`;
    throw new FaultError({ ...fault, field, message });
  }
}
