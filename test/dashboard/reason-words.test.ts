// Every reason that the server can give has words on the screens; none shows as a code.

import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import {
  reasonSentences,
  sentenceOfReason,
} from '../../actors/insight/timeline/reason-sentences.ts';
import { failureText, reasonText } from '../../dashboard/words/send-reasons.ts';

const all = [...reasonSentences.keys()].map((name) => name.split(':').at(-1) as string);

t.test('every reason has words, on every channel', async (t) => {
  t.ok(new Set(all).size > 200, 'the list is that of all reasons');
  for (const known of ['mailbox_not_found', 'template_missing', 'not_configured'])
    t.ok(all.includes(known), known);
  for (const reason of new Set(all))
    for (const channel of [undefined, ...channelIds]) {
      const text = reasonText(reason, channel);
      const isWords = /^[A-Z][^_]+[^._]$/.test(text) && / /.test(text);
      if (!isWords) t.fail(`${reason} on ${channel}: ${text}`);
    }
});

t.test('where a channel means something else, its own words are shown', async (t) => {
  for (const name of reasonSentences.keys()) {
    const [channel = '', reason] = name.split(':');
    if (reason === undefined) continue;
    const own = sentenceOfReason(reason, channel);
    if (own === sentenceOfReason(reason)) continue;
    t.ok(own.startsWith(reasonText(reason, channel)), name);
  }
  t.equal(reasonText('busy', 'voice'), 'The line was busy');
});

t.test('a code that nobody foresaw is words, and a number says whose it is', async (t) => {
  t.equal(reasonText('sun_spots'), 'Sun spots');
  t.equal(reasonText('toString'), 'ToString');
  t.equal(reasonText('http_503'), 'The provider responded with HTTP status 503');
  t.equal(reasonText('code_30007'), 'The provider responded with its error code 30007');
  t.equal(failureText('opt_out', null), 'Opted out');
  t.equal(failureText('opt_out', 'by STOP'), 'Opted out: “by STOP”');
});
