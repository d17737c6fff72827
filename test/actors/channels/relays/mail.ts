// A mail as the email adapter hands it to a relay, for the tests of relays.

import { bytesOfPieces } from '../../../../actors/channels/email/attached.ts';
import { mailMark } from '../../../../actors/channels/email/mail-mark.ts';
import type { Mail } from '../../../../actors/channels/email/mime.ts';
import { writePieces } from '../../../../actors/channels/email/mime.ts';
import type { RelayMail } from '../../../../actors/channels/email/relay-mail.ts';
import type {
  OpenRelay,
  RelayConfig,
  RelayKindName,
} from '../../../../actors/channels/port/open-relay.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { acceptedMs } from '../stand-ins.ts';

const ordinal = 7;

/** The send and the device of mail number `n`. */
function idsOf(n: number) {
  const parts = { atMs: acceptedMs, high16: 1, low32: n };
  return {
    sendId: formatId('ntf', { ordinal, ...parts }),
    deviceId: formatId('dev', { ordinal, ...parts }),
  };
}

export function relayMail(
  to: string,
  over: Partial<Mail> = {},
  n = 1,
  stream: RelayMail['stream'] = 'transactional',
): RelayMail {
  const { sendId, deviceId } = idsOf(n);
  const mail: Mail = {
    fromName: 'Shop',
    fromAddress: 'shop@example.com',
    to,
    subject: 'Your order',
    dateMs: acceptedMs,
    messageId: `${sendId}.${deviceId}@example.com`,
    headers: [
      ['X-Engage-Send-Id', sendId],
      ['X-Engage-Device-Id', deviceId],
    ],
    text: 'It has shipped.',
    html: '<p>It has shipped.</p>',
    ...over,
  };
  return {
    mail,
    returnPath: 'bounce@bounces.example.com',
    pieces: () => writePieces(mail, undefined),
    mark: mailMark({ sendId, deviceId }),
    stream,
    uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    tags: { app: 'app_1', campaign: 'cmp_1' },
  };
}

/** The whole message as a text. */
export function messageOf({ pieces }: Pick<RelayMail, 'pieces'>): string {
  return Buffer.from(bytesOfPieces(pieces())).toString();
}

export function anOpenRelay(kind: RelayKindName, config: RelayConfig): OpenRelay {
  return { id: 'rel_1', kind, config, fingerprint: 'f1' };
}
