// The shape of `payload.whatsapp`, member by member.

import t from 'tap';
import { readWhatsAppTemplate } from '../../../../actors/channels/whatsapp/template.ts';

const named = { templateName: 'order', languageCode: 'en_US' };

t.test(
  'a template is read with its parameters in order, and without what is not known',
  async (t) => {
    const link = 'https://cdn.example.com/a.png';
    t.strictSame(readWhatsAppTemplate({ ...named, footer: 'x' }), {
      ...named,
      headerParams: [],
      bodyParams: [],
      buttonParams: [],
    });
    t.strictSame(
      readWhatsAppTemplate({
        ...named,
        headerParams: ['A1', { type: 'image' }, { type: 'document', link, filename: 'a', size: 1 }],
        bodyParams: ['{{ name }}', ''],
        buttonParams: [
          'o/1',
          { type: 'quick_reply', text: 'YES' },
          { type: 'copy_code', text: 'C', index: 9 },
        ],
      }),
      {
        ...named,
        headerParams: ['A1', { type: 'image' }, { type: 'document', link, filename: 'a' }],
        bodyParams: ['{{ name }}', ''],
        buttonParams: [
          { index: 0, type: 'url', text: 'o/1' },
          { index: 1, type: 'quick_reply', text: 'YES' },
          { index: 9, type: 'copy_code', text: 'C' },
        ],
      },
    );
    t.match(
      readWhatsAppTemplate({ ...named, headerParams: [{ type: 'video', link: '{{ video }}' }] }),
      { headerParams: [{ link: '{{ video }}' }] },
      'a link may still be to be rendered',
    );
  },
);

t.test('a problem names its place', async (t) => {
  const rows: readonly (readonly [value: unknown, at: string, problem: RegExp])[] = [
    ['order', '', /an object with templateName/],
    [[named], '', /an object/],
    [{ languageCode: 'en' }, 'templateName', /approved template/],
    [{ ...named, templateName: ' ' }, 'templateName', /approved template/],
    [{ ...named, templateName: 'x'.repeat(513) }, 'templateName', /1 to 512 characters/],
    [{ ...named, languageCode: 'english please' }, 'languageCode', /such as en_US/],
    [{ ...named, headerParams: 'a' }, 'headerParams', /a list of at most 100/],
    [
      { ...named, headerParams: [{ type: 'audio', link: 'https://a.b' }] },
      'headerParams[0]',
      /image, video or document/,
    ],
    [
      { ...named, headerParams: ['a', { type: 'video' }] },
      'headerParams[1]',
      /a link to the video/,
    ],
    [
      { ...named, headerParams: [{ type: 'image', link: 'javascript:x' }] },
      'headerParams[0]',
      /https: or http:/,
    ],
    [{ ...named, headerParams: [{ type: 'image', link: 7 }] }, 'headerParams[0]', /image, video/],
    [{ ...named, bodyParams: new Array(101).fill('a') }, 'bodyParams', /at most 100/],
    [{ ...named, bodyParams: ['a', null] }, 'bodyParams[1]', /^expected a string$/],
    [{ ...named, buttonParams: new Array(11).fill('a') }, 'buttonParams', /at most 10/],
    [
      { ...named, buttonParams: [{ type: 'call', text: 'x' }] },
      'buttonParams[0]',
      /url, quick_reply or copy_code/,
    ],
    [{ ...named, buttonParams: [{ type: 'url' }] }, 'buttonParams[0]', /text/],
    [
      { ...named, buttonParams: [{ type: 'url', text: 'x', index: 10 }] },
      'buttonParams[0]',
      /from 0 to 9/,
    ],
  ];
  for (const [value, at, problem] of rows)
    t.match(readWhatsAppTemplate(value), { at, problem }, JSON.stringify(value)?.slice(0, 80));
});
