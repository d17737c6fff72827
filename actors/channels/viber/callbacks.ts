// What Viber's webhook says, one thing a call: a message that arrived, was seen or failed, somebody
// who subscribed, left or wrote. Pure. Easily got wrong: a message is named by an integer of 64
// bits, which JSON.parse changes, so it is read out of the text; and who opens a conversation has
// not subscribed by that.

import type { News } from '../../sending/callbacks/receipt-state.ts';
import type { ChatItem } from '../callback-item.ts';
import { inboundItem, unknownItem } from '../callback-item.ts';
import { type Json, jsonIn, jsonOf, millisOf, textOf } from '../callback-json.ts';

/** What one call says. */
export function viberItems(body: Uint8Array): readonly ChatItem[] {
  const event = jsonIn(body) ?? {};
  return [itemOf(event, tokenIn(body))];
}

function itemOf(event: Json, token: string): ChatItem {
  const kind = textOf(event['event']);
  const atMs = millisOf(event['timestamp']);
  const at = atMs === undefined ? {} : { atMs };
  const userId = textOf(event['user_id']);
  const user = jsonOf(event['user']);
  const did = { id: `${kind} ${token}`, atMs };
  switch (kind) {
    case 'delivered':
      return statusOf(token, userId, { kind: 'arrived' });
    case 'seen':
      return statusOf(token, userId, { kind: 'read', ...at });
    case 'failed':
      return statusOf(token, userId, { kind: 'failed', reason: 'failed', effect: 'none' });
    case 'subscribed':
      return inboundItem({ ...did, from: textOf(user['id']), left: false });
    case 'conversation_started':
      if (event['subscribed'] !== true) return unknownItem;
      return inboundItem({ ...did, from: textOf(user['id']), left: false });
    case 'unsubscribed':
      return inboundItem({ ...did, from: userId, left: true });
    case 'message': {
      const from = textOf(jsonOf(event['sender'])['id']);
      return inboundItem({ ...did, from, text: textOf(jsonOf(event['message'])['text']) });
    }
    default:
      return unknownItem;
  }
}

function statusOf(name: string, address: string, news: News): ChatItem {
  if (name === '' || address === '') return unknownItem;
  return { kind: 'status', name, addresses: [address], news };
}

/** All digits of the token. Within a text its quotes would have backslashes before them. */
function tokenIn(body: Uint8Array): string {
  const text = Buffer.from(body).toString('utf8');
  return /"message_token"\s*:\s*"?(\d{1,20})/.exec(text)?.[1] ?? '';
}
