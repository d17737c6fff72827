import fc from 'fast-check';
import t from 'tap';
import {
  deliveryOptionKeys,
  readDeliveryOptions,
} from '../../../../actors/content/shape/delivery-options.ts';
import type { MessageContent } from '../../../../actors/content/shape/message-schema.ts';
import { copyOver } from '../../../../actors/content/templates/copy.ts';
import { tries } from '../../../support/tries.ts';

const lane = fc.constantFrom('marketing' as const, 'transactional' as const);
const text = fc.string({ maxLength: 3 });
const options = {
  ttlSeconds: fc.nat({ max: 9 }),
  sound: fc.constantFrom('a', 'b', 'c'),
  priority: fc.constantFrom('normal' as const, 'high' as const),
};
const content: fc.Arbitrary<MessageContent> = fc.record(
  {
    title: text,
    body: text,
    image: text,
    ...options,
    data: fc.record({ screen: text, ...options }, { requiredKeys: [] }),
    payload: fc.record({ whatsapp: fc.constant({}), ...options }, { requiredKeys: [] }),
    localizations: fc.dictionary(fc.constantFrom('de', 'th'), fc.record({ title: text })),
  },
  { requiredKeys: [] },
);

type Map = Readonly<Record<string, unknown>>;

t.test('what is given replaces the template’s member, whole, and the rest is a copy', async (t) => {
  const whole = ['title', 'body', 'image', 'data'] as const;
  fc.assert(
    fc.property(content, content, lane, (template, given, lane) => {
      const before = structuredClone(template);
      const copy = copyOver(template, given, lane);
      for (const member of whole)
        t.same(copy[member], (member in given ? given : template)[member], member);
      const { whatsapp } = (('payload' in given ? given : template).payload ?? {}) as Map;
      t.same(copy.payload?.['whatsapp'], whatsapp, 'payload is not merged');
      t.same(template, before, 'the template is left as it was');
    }),
  );
});

t.test('a member that is given replaces the template’s in all its languages', async (t) => {
  fc.assert(
    fc.property(content, content, lane, (template, given, lane) => {
      const { localizations } = copyOver(template, given, lane);
      if ('localizations' in given) {
        t.same(localizations, given.localizations, 'the call’s own are about its own texts');
        return;
      }
      const before = template.localizations;
      t.same(Object.keys(localizations ?? {}), Object.keys(before ?? {}), 'no language is lost');
      for (const [language, variant] of Object.entries(localizations ?? {})) {
        const { title } = before?.[language] ?? {};
        t.same(variant, 'title' in given || title === undefined ? {} : { title }, language);
      }
    }),
  );
});

t.test('an option that the call gives anywhere wins over the template’s anywhere', async (t) => {
  fc.assert(
    fc.property(content, content, lane, (template, given, lane) => {
      const copy = copyOver(template, given, lane);
      const read = readDeliveryOptions(
        { top: copy, payload: copy.payload, data: lane === 'marketing' ? undefined : copy.data },
        'rendered',
      );
      if ('fault' in read) throw new Error(read.fault.message);
      const ofData = ({ data }: MessageContent) => (lane === 'marketing' ? undefined : data);
      for (const key of deliveryOptionKeys) {
        // Place by place, the call's before the template's; a map that the call gives hides that of
        // the template.
        const places: readonly (Map | undefined)[] = [
          given as Map,
          given.payload,
          ofData(given),
          template as Map,
          given.payload === undefined ? template.payload : undefined,
          given.data === undefined ? ofData(template) : undefined,
        ];
        const expected = places.find((place) => place !== undefined && key in place)?.[key];
        t.equal(read.options[key], expected, key);
      }
    }),
    { numRuns: tries(300) },
  );
});
