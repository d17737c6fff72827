// One address brings at most so many new names, however many of its calls are under way at once.

import t from 'tap';
import { limits } from '../../../actors/limits.ts';
import { formatId } from '../../../engine/base/id.ts';
import { exampleClientToken } from '../../../http/routes/sdk/sdk-shape.ts';
import { app, fakeFront } from './fake-front.ts';

const appId = formatId('app', { ordinal: app, atMs: 1_790_000_000_000, high16: 0, low32: 0 });

t.test('calls at once bring no more names than one after the other', async (t) => {
  let brought = 0;
  const front = fakeFront((message) => {
    const { tags, names } = message as unknown as {
      readonly tags: object;
      readonly names: { readonly mayName: number };
    };
    const namesBrought = Math.min(Object.keys(tags).length, names.mayName);
    brought += namesBrought;
    return { namesBrought };
  });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, call) => {
      const tags = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`t${call}_${n}`, n]));
      const body = { appId, clientToken: exampleClientToken, tags };
      return front.call('POST /v1/sdk/tags', { key: '', body });
    }),
  );
  t.ok(answers.every(({ status }) => status === 204));
  t.equal(brought, limits.keylessNamesPerHour);
});
