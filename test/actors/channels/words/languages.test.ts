// The choice of a language is held to a second judge, which knows scripts and regions from a table
// by hand and ranks what is offered, instead of listing what to look for.

import fc from 'fast-check';
import t from 'tap';
import { languageKey } from '../../../../actors/channels/words/language-tag.ts';
import { chosenLanguage } from '../../../../actors/channels/words/languages.ts';
import { tries } from '../../../support/tries.ts';

function chosen(reader: string, ...offered: readonly string[]): string | undefined {
  const byKey = new Map(offered.map((tag) => [languageKey(tag) ?? tag, tag]));
  const key = chosenLanguage(Object.fromEntries(byKey), languageKey(reader));
  return key === undefined ? undefined : byKey.get(key);
}

t.test('plain tags get their region, then their base language, then nothing', async (t) => {
  t.equal(chosen('pt-BR', 'pt', 'pt-BR'), 'pt-BR');
  t.equal(chosen('pt-PT', 'pt', 'pt-BR'), 'pt');
  t.equal(chosen('pt-PT', 'pt-BR'), undefined);
  t.equal(chosen('pt', 'pt-BR'), undefined, 'a bare language never gets a region');
  t.equal(chosen('zh', 'zh-CN', 'zh-TW'), undefined);
  t.equal(chosen('zh-HK', 'zh-TW', 'zh'), 'zh');
  t.equal(chosen('en-GB', 'en-US', 'fr'), undefined);
  t.equal(chosen('fr', 'en'), undefined);
});

t.test('a script between language and region hides nothing', async (t) => {
  t.equal(chosen('zh-Hant-HK', 'zh-HK', 'zh'), 'zh-HK');
  t.equal(chosen('zh-Hant-TW', 'zh-TW'), 'zh-TW');
  t.equal(chosen('zh_TW_#Hant', 'zh-TW', 'zh'), 'zh-TW');
  t.equal(chosen('sr-Latn-RS', 'sr-RS'), 'sr-RS');
  t.equal(chosen('zh-HK', 'zh-Hant-HK', 'zh'), 'zh-Hant-HK');
  for (const region of ['HK', 'TW', 'MO'])
    t.equal(chosen(`zh-${region}`, 'zh', 'zh-Hant'), 'zh-Hant', region);
  t.equal(chosen('zh-CN', 'zh-Hant', 'zh-Hans'), 'zh-Hans');
  t.equal(chosen('zh-CN', 'zh-Hant'), undefined);
  t.equal(chosen('zh-Hant', 'zh-TW', 'zh'), 'zh-TW', 'a script has a likely region');
  t.equal(chosen('zh-Hans', 'zh-CN', 'zh-TW'), 'zh-CN');
  t.equal(chosen('zh', 'zh-Hans', 'zh-Hant'), 'zh-Hans');
  t.equal(chosen('az-Latn-AZ', 'az-AZ', 'az'), 'az-AZ');
});

t.test('a text in the script of the reader comes before one in another', async (t) => {
  t.equal(chosen('zh-Hans-HK', 'zh-HK', 'zh'), 'zh');
  t.equal(chosen('zh-Hans-HK', 'zh-HK', 'zh-Hans'), 'zh-Hans');
  t.equal(chosen('zh-Hans-HK', 'zh-HK'), 'zh-HK', 'another script is better than another language');
  t.equal(chosen('sr-Latn-RS', 'sr-RS', 'sr-Latn'), 'sr-Latn');
  t.equal(chosen('sr-ME', 'sr', 'sr-Latn'), 'sr-Latn');
});

t.test('old codes, wider languages and Latin America are known on both sides', async (t) => {
  for (const [reader, offered] of [
    ['in_ID', 'id'],
    ['id', 'in'],
    ['iw_IL', 'he'],
    ['he-IL', 'iw'],
    ['ji', 'yi'],
    ['tl-PH', 'fil'],
    ['fil', 'tl'],
    ['no_NO', 'nb'],
    ['nb-NO', 'no'],
    ['sh_RS', 'sr-Latn'],
    ['sr-Latn-RS', 'sh'],
    ['nn-NO', 'nb'],
    ['nn-NO', 'no'],
    ['yue-HK', 'zh-HK'],
    ['yue', 'zh-Hant'],
    ['en-UK', 'en-GB'],
    ['de_CH.UTF-8', 'de-CH'],
    ['ca-ES-valencia', 'ca-ES'],
  ] as const)
    t.equal(chosen(reader, offered), offered, `${reader} with ${offered}`);
  t.equal(chosen('nn-NO', 'nb', 'nn'), 'nn');
  t.equal(chosen('es-AR', 'es', 'es-419'), 'es-419');
  t.equal(chosen('es-AR', 'es', 'es-419', 'es-AR'), 'es-AR');
  t.equal(chosen('es-ES', 'es-419'), undefined);
});

t.test('a table that was stored before its tags were canonical is read', async (t) => {
  for (const [old, reader] of [
    ['in', 'in_ID'],
    ['in-id', 'id-ID'],
    ['iw', 'he'],
    ['no', 'nb-NO'],
    ['tl', 'tl'],
    ['zh-hant-hk', 'zh-HK'],
  ] as const)
    t.equal(chosenLanguage({ [old]: 1 }, languageKey(reader)), old, `${reader} with ${old}`);
});

interface Parts {
  readonly language: string;
  readonly script?: string;
  readonly region?: string;
}

/** By language: script and region where nothing is said, and regions with another script. */
const likely: Readonly<
  Record<string, { script: string; regions: Record<string, string>; home: Record<string, string> }>
> = {
  zh: {
    script: 'Hans',
    regions: { CN: 'Hans', SG: 'Hans', TW: 'Hant', HK: 'Hant', MO: 'Hant' },
    home: { Hans: 'CN', Hant: 'TW' },
  },
  sr: {
    script: 'Cyrl',
    regions: { RS: 'Cyrl', BA: 'Cyrl', ME: 'Latn' },
    home: { Cyrl: 'RS', Latn: 'RS' },
  },
  uz: {
    script: 'Latn',
    regions: { UZ: 'Latn', AF: 'Arab' },
    home: { Latn: 'UZ', Cyrl: 'UZ', Arab: 'AF' },
  },
  pa: { script: 'Guru', regions: { IN: 'Guru', PK: 'Arab' }, home: { Guru: 'IN', Arab: 'PK' } },
  pt: { script: 'Latn', regions: { BR: 'Latn', PT: 'Latn', AO: 'Latn' }, home: { Latn: 'BR' } },
  en: { script: 'Latn', regions: { US: 'Latn', GB: 'Latn' }, home: { Latn: 'US' } },
  id: { script: 'Latn', regions: { ID: 'Latn', MY: 'Latn' }, home: { Latn: 'ID' } },
  he: { script: 'Hebr', regions: { IL: 'Hebr', US: 'Hebr' }, home: { Hebr: 'IL' } },
  fil: { script: 'Latn', regions: { PH: 'Latn' }, home: { Latn: 'PH' } },
  vi: { script: 'Latn', regions: { VN: 'Latn', US: 'Latn' }, home: { Latn: 'VN' } },
};

const everyTag: readonly Parts[] = Object.entries(likely).flatMap(([language, { regions, home }]) =>
  [undefined, ...Object.keys(home)].flatMap((script) =>
    [undefined, ...Object.keys(regions)].map((region) => ({
      language,
      ...(script === undefined ? {} : { script }),
      ...(region === undefined ? {} : { region }),
    })),
  ),
);

const textOf = ({ language, script, region }: Parts) =>
  [language, script, region].filter((part) => part !== undefined).join('-');

function scriptOf({ language, script, region }: Parts): string | undefined {
  const row = likely[language];
  return script ?? (region === undefined ? row?.script : row?.regions[region]);
}

/** What the reader gets, by rank: smaller numbers are better, and the first difference decides. */
function judged(reader: Parts, offered: readonly Parts[]): Parts | undefined {
  const own = scriptOf(reader) ?? '';
  const home = likely[reader.language]?.home[own];
  const fits = (one: Parts) => {
    if (one.language !== reader.language) return false;
    if (one.script !== undefined && one.script !== own) return false;
    if (one.region === undefined || one.region === reader.region) return true;
    // Only a script, without a region, has a home.
    if (reader.region !== undefined || reader.script === undefined) return false;
    return one.region === home && scriptOf(one) === own;
  };
  const rank = (one: Parts) => [
    reader.script !== undefined && scriptOf(one) !== own ? 1 : 0,
    textOf(one) === textOf(reader) ? 0 : 1,
    one.region === undefined ? 1 : 0,
    // In a region the short form comes first, without one what says its script.
    (one.script === undefined) === (one.region !== undefined) ? 0 : 1,
  ];
  const compare = (a: Parts, b: Parts) =>
    rank(a).reduce((sum, part, i) => sum || part - (rank(b)[i] ?? 0), 0);
  return offered.filter(fits).sort(compare)[0];
}

type Spelling = (tag: string) => string;

const spellings: readonly Spelling[] = [
  (tag) => tag,
  (tag) => tag.replaceAll('-', '_'),
  (tag) => tag.toLowerCase(),
  (tag) => tag.toUpperCase(),
  (tag) =>
    tag
      .replace(/^id\b/, 'in')
      .replace(/^he\b/, 'iw')
      .replace(/^fil\b/, 'tl'),
  (tag) => tag.replace(/^(.*)-([A-Z][a-z]{3})-([A-Z]{2})$/, '$1_$3_#$2'),
  (tag) => `${tag}.UTF-8`,
];

/** What is wrong with the choice, as a sentence. */
function problemOf(
  reader: Parts,
  offered: readonly Parts[],
  say = spellings[0] as Spelling,
  offer = say,
): string | undefined {
  const table = Object.fromEntries(offered.map((one) => [languageKey(offer(textOf(one))), one]));
  const key = chosenLanguage(table, languageKey(say(textOf(reader))));
  const given = key === undefined ? undefined : table[key];
  const right = judged(reader, offered);
  if ((given && textOf(given)) === (right && textOf(right))) return undefined;
  return `${textOf(reader)} with ${offered.map(textOf).join()}: ${given && textOf(given)}, not ${right && textOf(right)}`;
}

t.test('every reader gets what a second judge would give', async (t) => {
  const written = everyTag.flatMap((one) => spellings.map((spell) => spell(textOf(one))));
  t.ok(new Set(written).size >= 200, `only ${new Set(written).size} tags`);
  const tag = fc.constantFrom(...everyTag);
  const spelling = fc.constantFrom(...spellings);
  const offers = tag.chain((reader) => {
    // Most of them in the reader's own language, or nothing would fit.
    const own = everyTag.filter(({ language }) => language === reader.language);
    const near = fc.array(fc.constantFrom(...own), { maxLength: 5 });
    return fc.tuple(fc.constant(reader), near, fc.array(tag, { maxLength: 3 }));
  });
  fc.assert(
    fc.property(offers, spelling, spelling, ([reader, near, others], say, offer) => {
      const problem = problemOf(reader, [...others, ...near], say, offer);
      if (problem !== undefined) throw new Error(problem);
    }),
    { seed: 36, numRuns: tries(20_000) },
  );
});

t.test('every reader is judged with every two tags of their language', async (t) => {
  let pairs = 0;
  for (const reader of everyTag) {
    const own = everyTag.filter(({ language }) => language === reader.language);
    for (const first of own)
      for (const second of own) {
        pairs++;
        const problem = problemOf(reader, [first, second]);
        if (problem !== undefined) t.fail(problem);
      }
  }
  t.ok(pairs > 5_000, `only ${pairs}`);
});
