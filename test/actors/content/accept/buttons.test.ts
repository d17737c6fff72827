import t from 'tap';
import {
  checkRenderedButton,
  normalizeButtons,
} from '../../../../actors/content/accept/buttons.ts';
import { checkLink, linkSourceProblem } from '../../../../actors/content/shape/link.ts';

const disguises = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' \u00a0\ufeffjavascript:alert(1)',
  'java\u200bscript:alert(1)',
  'java\u00adscript:alert(1)',
  '\u202ejavascript:alert(1)',
  '&#106;avascript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  '%6aavascript:alert(1)',
  'java%73cript:alert(1)',
  'javascript%3aalert(1)',
  'ｊavascript:alert(1)',
  'javaſcript:alert(1)',
  'javascript :alert(1)',
  '//evil.example/x',
  '/javascript:alert(1)',
  'vbscript:msgbox(1)',
  'VBScript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'intent://scan/#Intent;scheme=zxing;end',
  'view-source:javascript:alert(1)',
  'about:blank',
  'https:javascript:alert(1)',
  'https://',
  'https:///x',
  'http:\\\\evil.example',
  '',
  ':',
  'https:',
  'example.com',
];

t.test('a button cannot become a javascript: link, in any disguise', async (t) => {
  for (const url of disguises) {
    t.ok('fault' in normalizeButtons([{ label: 'Go', url }]), JSON.stringify(url));
    t.ok(
      'fault' in checkRenderedButton({ label: 'Go', url }, 'buttons[0]', true),
      `rendered ${JSON.stringify(url)}`,
    );
  }
  t.match(normalizeButtons([{ label: 'A' }, { label: 'Go', url: 'javascript:x' }]), {
    fault: {
      field: 'buttons[1].url',
      message: 'buttons[1].url: javascript: links are not allowed',
    },
  });
});

t.test('web addresses, mail, telephone and app links are links', async (t) => {
  for (const url of [
    'https://example.com',
    'http://example.com/a?b=c#d',
    'mailto:a@example.com',
    'tel:+6591234567',
    'myapp://orders/1',
    'com.example.app:x',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/ü',
  ]) {
    t.same(checkLink(url, 'link'), { url });
  }
  t.same(checkLink(' HTTPS://Example.com/a b"<>` ', 'link'), {
    url: 'https://Example.com/a%20b%22%3C%3E%60',
  });
  t.ok('problem' in checkLink('myapp://x.png', 'image'));
  t.ok('problem' in checkLink('tel:+65', 'image'));
  t.ok('url' in checkLink(`https://example.com/${'x'.repeat(2_028)}`, 'link'));
  t.ok('problem' in checkLink(`https://example.com/${'x'.repeat(2_029)}`, 'link'));
});

t.test('what comes before a template tag is checked at once, the rest when rendered', async (t) => {
  t.equal(linkSourceProblem('javascript:{{ x }}', 'link'), 'javascript: links are not allowed');
  t.equal(linkSourceProblem('{{ base }}/orders', 'link'), undefined);
  t.equal(linkSourceProblem('https://example.com/{{ id }}', 'image'), undefined);
  t.match(linkSourceProblem('myapp://{{ id }}', 'image'), /an image must be/);
});

t.test('buttons come out in one normal form', async (t) => {
  t.same(
    normalizeButtons([
      { id: 'a', label: ' Go ', url: ' https://example.com ', extra: 1 },
      { text: 'Call', link: 'tel:1' },
      { title: 'Open' },
    ]),
    {
      buttons: [
        { id: 'a', label: 'Go', url: 'https://example.com' },
        { label: 'Call', url: 'tel:1' },
        { label: 'Open' },
      ],
    },
  );
  const five = Array.from({ length: 5 }, (_, i) => ({ label: `b${i}` }));
  t.ok('buttons' in normalizeButtons(five));
  t.match(normalizeButtons([...five, { label: 'x' }]), {
    fault: { message: 'buttons: at most 5 buttons' },
  });
  t.match(normalizeButtons([{ url: 'https://example.com' }]), {
    fault: { message: 'buttons[0].label: a button needs a label' },
  });
  t.ok('buttons' in normalizeButtons([{ label: 'x'.repeat(80) }]));
  t.ok('fault' in normalizeButtons([{ label: 'x'.repeat(81) }]));
  t.ok(
    'fault' in
      normalizeButtons([
        { id: 'a', label: 'x' },
        { id: 'a', label: 'y' },
      ]),
  );
  t.match(normalizeButtons([{ label: '{{ x | nofilter }}' }]), {
    fault: { message: 'buttons[0].label: undefined filter: nofilter' },
  });
});
