// The aggregate report in a mail: the whole body, or an attachment, by its type or its name.

import type { DmarcReport } from '../../actors/tenants/dmarc/aggregate.ts';
import { readDmarcXml } from './dmarc-xml.ts';
import { unpackedReport } from './unpack.ts';

/** Longer mails are no reports that we read; the largest providers send less than a tenth. */
export const dmarcMailBytesMax = 1_024 * 1_024;
const headerBytesMax = 64 * 1_024;
/** Parts of a mail and lines that look like their borders: more is not a report. */
const bordersMax = 64;
/** Attachments that are looked into. */
const attachmentsMax = 4;

const packedType =
  /^(?:application\/(?:gzip|x-gzip|gzip-compressed|zip|x-zip|x-zip-compressed|xml|octet-stream)|text\/xml)$/i;
const packedName = /\.(?:gz|gzip|zip|xml)$/i;

/** `undefined` if there is none that can be read. */
export async function dmarcReportIn(source: Buffer): Promise<DmarcReport | undefined> {
  const mail = headAndBody(source);
  if (mail === undefined) return undefined;
  const { simpleParser } = await import('mailparser');
  let attachments: readonly {
    contentType: string;
    filename?: string | undefined;
    content: Buffer;
  }[];
  try {
    ({ attachments } = await simpleParser(mail, {
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipTextLinks: true,
      skipImageLinks: true,
    }));
  } catch {
    return undefined; // not a readable mail
  }
  const found = attachments.filter(
    ({ contentType, filename = '' }) => packedType.test(contentType) || packedName.test(filename),
  );
  for (const { content } of found.slice(0, attachmentsMax)) {
    const xml = await unpackedReport(content);
    const report = xml === undefined ? undefined : await readDmarcXml(xml);
    if (report !== undefined) return report;
  }
  return undefined;
}

/** The mail with only the headers that locate its parts: others could block the parser. */
function headAndBody(source: Buffer): Buffer | undefined {
  const crlf = source.indexOf('\r\n\r\n');
  const end = crlf >= 0 ? crlf : source.indexOf('\n\n');
  if (end < 0) return undefined;
  const header = source.toString('latin1', 0, Math.min(end, headerBytesMax));
  const heads = ['content-type', 'content-transfer-encoding', 'content-disposition'].map((name) =>
    fieldIn(header, name),
  );
  const body = source.subarray(end);
  if (countBorders(body) > bordersMax) return undefined;
  // Mail programs would show a body of XML; here it shall be an attachment.
  const [type = '', encoding = '', disposition = ''] = heads;
  const isXml = /^content-type:\s{0,20}(?:text|application)\/xml/i.test(type);
  const attached = isXml && disposition === '' ? 'Content-Disposition: attachment\r\n' : '';
  const head = `${type}${encoding}${disposition}${attached}MIME-Version: 1.0`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

function fieldIn(header: string, name: string): string {
  const field = new RegExp(`^${name}:[^\\n]{0,500}(?:\\n[ \\t][^\\n]{0,500}){0,8}`, 'im');
  const found = field.exec(header)?.[0];
  return found === undefined ? '' : `${found.trimEnd()}\r\n`;
}

function countBorders(body: Buffer): number {
  let count = 0;
  for (
    let at = body.indexOf('\n--');
    at >= 0 && count <= bordersMax;
    at = body.indexOf('\n--', at + 1)
  )
    count++;
  return count;
}
