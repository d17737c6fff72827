// Public strings are in the field's English: no sentence that a reader of Stripe's or Braze's
// documentation would have to read twice. A pattern is listed with what to write instead.

import t from 'tap';
import { describedTexts, literalsOf, sentencesBelow } from './support/public-strings.ts';

const forbidden: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bwhom\b/i, 'name them: recipient, subscriber, person'],
  [/\bwhoever\b/i, '"anyone who" or "people who"'],
  [/\bwhose (hour|turn|time)\b/i, '"people whose local send time"'],
  [/\bsomebody\b/i, '"someone"'],
  [/\beverybody\b/i, '"everyone"'],
  [/\bas (it|they) (stands?|is now|are now)\b/i, '"the updated …" or "current"'],
  [/\b(is|are|was|were|be) told\b/i, 'who gets what: "the response shows", "receives"'],
  [/\b(what|how) (came|comes|become|becomes|became) of\b/i, '"result", "status" or "outcome"'],
  [/\b(they|people|who) use to\b|\buse to (open|read)\b/i, '"usually"'],
  [/\bhear (from|what)\b/i, 'name the thing: "WhatsApp webhook"'],
  [/\btaken, and\b|, and durable\b/i, '"accepted and stored"'],
  [/\btakes no body\b/i, '"The request has no body."'],
  [/\bunder way\b/i, '"in progress", "pending" or "in flight"'],
  [/\bunless (given|told|said)\b/i, '"Default …"'],
  [/\b(be|is|are|when|where it is) left out\b|\bleave (it|them) out\b/i, '"omit", "if omitted"'],
  [/\bmembers? that\b|\bmember (of the|is|by)\b/i, '"field"'],
  [/(?<!there )\bis no (?!longer\b)/i, '"is not a …"'],
  [/^id of the [a-z- ]+\.$/i, '"App id.", "Campaign id."'],
  [
    /\b(people|calls|requests|sends|recipients|e?mails|messages|lines|links|events|one|row) an? (second|minute|hour|day|month|line|call|person)\b/i,
    '"per minute", "one per line"',
  ],
  [/\bgiven twice\b|\bgiven out\b|\bis there twice\b/i, '"appears twice", "issued"'],
  [/\bmust not hold\b/i, '"must not contain"'],
  [/\bcursor of this\b/i, '"invalid cursor for this list"'],
  [/\bagain and again\b|\banew\b/i, '"recurring", "retries"'],
  [/\b(is|are) (tried|looked at) again\b|\bnow and then\b/i, '"retried", "from time to time"'],
  [/\b(the|another) (key|secret|link|one|page|step|words) before\b/i, '"the previous one"'],
  [/\bput (off|right)\b|\bgiven up\b/i, '"deferred", "fixed", "failed"'],
  [/\bpassed over\b/i, '"skipped"'],
  [/\bgoes with\b|\bgo together\b|\bdoes not go with\b/i, '"can only be used with …"'],
  [/\bcall it so\b/i, '"usage: …"'],
  [/\b(a|stable) word\b|\bin words\b|\bown words\b/i, '"code", "sentence", "message"'],
  [/\bhalf of a surrogate\b|\bwell-formed unicode\b/i, '"unpaired surrogate", "valid Unicode"'],
  [/\b(go|goes|going|went) on\b/i, '"continues", "resumes"'],
  [/\bnobody of\b/i, '"none of them"'],
  [/\bby (itself|themselves)\b/i, '"automatically"'],
  [/\ball the same\b/i, '"anyway"'],
  [/\bmeanwhile\b/i, '"in the meantime", "while you were editing"'],
  [/\b(for|gone for) good\b/i, '"permanently"'],
  [/\b(mend|mends|mended|mending)\b/i, '"fix"'],
  [
    /\b(so|as) many (as|emails|deliveries|people|refusals|seconds|days|calls)\b/i,
    '"this many", "the number of"',
  ],
  [/\bbesides?\b/i, '"next to", "with", "in addition to"'],
  [/\b(get|gets|got) through\b/i, '"succeeds", "no delivery succeeded"'],
  [/\bover and over\b/i, '"repeatedly"'],
  [/\b(is|are) answered \d/i, '"gets a 401"'],
  [
    /\b(take|takes|taken) back\b|\bcalled back\b|\b(take|takes|taken) (it|them) out\b/i,
    '"undo", "recall", "unarchive"',
  ],
  [/\b(nothing|what) has left\b/i, '"nothing was sent"'],
  [/\bcomes? to the (end|step)\b|\b(go|goes) the way\b/i, '"reaches", "takes the branch"'],
  [/\bin doubt\b/i, '"not confirmed"'],
  [/\bstands? (on|in|below) the\b/i, '"is shown on"'],
  [/\btells? (opens|clicks|uploads|who|what)\b/i, '"shows", "identifies"'],
  [/\binvents? people\b|\binvented people\b/i, '"fake people"'],
  [/\bmade[- ]up\b/i, '"sample"'],
  [/\bat hand\b|\bat its end\b/i, 'say when or what'],
  [
    /^of (a|an|the|all|its|their|some|one)\b[^,]{0,40}[.:;]/i,
    'name the thing: "The channels of …"',
  ],
  [
    /\b(colour|honour|behaviour|favour|catalogue|organisation|recognise|normalise|centre|per cent)(s|d|ed|ing)?\b/i,
    'American spelling',
  ],
  [/\bthereof\b|\bbe it\b|\bwherein\b|\bfor want of\b|\bby the hour\b/i, 'plain words'],
];

t.test('no public string has words that an engineer has to read twice', async (t) => {
  const strings = [...describedTexts(), ...sentencesBelow()];
  t.ok(strings.length > 1_500, `${strings.length} strings are read`);
  for (const { place, text } of strings) {
    if (!isProse(text)) continue;
    for (const [pattern, instead] of forbidden) {
      const [found] = pattern.exec(text) ?? [];
      if (found !== undefined) t.fail(`${place}: "${found}": write ${instead}\n  ${text}`);
    }
  }
});

t.test('a summary is a short title without a full stop', async (t) => {
  for (const { place, name, text } of describedTexts()) {
    if (name !== 'summary') continue;
    t.ok(text.length <= 60 && /^[A-Z][^.]*[^.]$/.test(text), `${place}: ${text}`);
  }
});

t.test('the list finds the texts that it was made from', async (t) => {
  const old = [
    'Everybody at the hour at which they use to open.',
    'Hear from WhatsApp',
    'Whose hour had passed when it began, and who get it a day later.',
    'Taken, and durable: by what became of each thing.',
    'One that is scheduled or sending; 409 for any other. Takes no body.',
    'expected it; call it so: engage check',
    'The campaign as it is now.',
    'Whom it was meant for, the holdout included.',
    'Nothing: goes on',
    'Nobody of them can be reached on any channel.',
    'Pauses by itself',
    'It is drawn all the same.',
    'Nothing was saved: Ada changed this meanwhile.',
    'One send failed for good. Once the cause is mended, send it again.',
    'After so many emails',
    'Ten letters, beside the key.',
    'Nothing got through on five days.',
    'They are put off over and over.',
    'Whatever still uses it is answered 401.',
    'Take it out of the archive first.',
    'What has left cannot be taken back.',
    'They come to the end.',
    'The clock is in doubt.',
    'Stands on the card and in the statistics.',
    'An invisible picture tells opens.',
    'A jump may be a stranger who invents people.',
    'A made-up person',
    'No file at hand?',
    'Of the addresses.',
    'Of the step before',
    'Items, one a line',
    'Accent colour',
  ];
  for (const text of old)
    t.ok(
      forbidden.some(([pattern]) => pattern.test(text)),
      text,
    );
});

t.test('literals are read as they are, past comments, patterns and nested templates', async (t) => {
  const source = [
    "// 'no' `comment`",
    "const a = 'it\\'s one'; const b = /'no`/g;",
    "const f = () => { return /'no`/.test(a) };",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source with a template in it
    'const c = `two ${d ? `three ${e}` : "four"} five`;',
  ].join('\n');
  t.same(literalsOf(source), [
    { line: 2, text: "it's one" },
    { line: 4, text: 'three …' },
    { line: 4, text: 'four' },
    { line: 4, text: 'two … five' },
  ]);
});

/** Pages, addresses and the like are no sentences. */
function isProse(text: string): boolean {
  return !/^\s*<|^[a-z-]+\/|^:root/.test(text);
}
