// Maps an event's key to its field as a bit, nearly always by the key's length alone.

import { isForbiddenKey, spells } from './json-bytes.ts';

/** Its value is skipped. */
export const unknownMember = 0;
/** No event may have it. */
export const forbiddenMember = -1;
export const nameMember = 1;
export const subscriberMember = 2;
export const externalMember = 4;
export const idMember = 8;
export const atMember = 16;
export const propsMember = 32;
/** Bit of the first client reference; doubles for each further one. */
export const referenceMember = 64;

const nameKey = Buffer.from('name');
const subscriberKey = Buffer.from('subscriberId');
const externalKey = Buffer.from('externalUserId');
const idKey = Buffer.from('id');
const atKey = Buffer.from('at');
const propsKey = Buffer.from('props');
const deviceKey = Buffer.from('deviceId');
const sendKey = Buffer.from('sendId');
const campaignKey = Buffer.from('campaignId');
const messageKey = Buffer.from('messageId');

/** For the unescaped key in `body[start, end)`. */
export function memberOf(body: Uint8Array, start: number, end: number): number {
  switch (end - start) {
    case 2:
      if (spells(body, start, idKey)) return idMember;
      return spells(body, start, atKey) ? atMember : unknownMember;
    case 4:
      return spells(body, start, nameKey) ? nameMember : unknownMember;
    case 5:
      return spells(body, start, propsKey) ? propsMember : unknownMember;
    case 6:
      return spells(body, start, sendKey) ? referenceMember * 2 : unknownMember;
    case 8:
      return spells(body, start, deviceKey) ? referenceMember : unknownMember;
    case 9:
      if (spells(body, start, messageKey)) return referenceMember * 8;
      return isForbiddenKey(body, start, end) ? forbiddenMember : unknownMember;
    case 10:
      return spells(body, start, campaignKey) ? referenceMember * 4 : unknownMember;
    case 11:
      return isForbiddenKey(body, start, end) ? forbiddenMember : unknownMember;
    case 12:
      return spells(body, start, subscriberKey) ? subscriberMember : unknownMember;
    case 14:
      return spells(body, start, externalKey) ? externalMember : unknownMember;
    default:
      return unknownMember;
  }
}
