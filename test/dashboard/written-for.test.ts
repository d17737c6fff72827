import t from 'tap';
import { writtenForOf } from '../../dashboard/ui/written-for.ts';

t.test('a message is for the channels it names, or those that alone show it', async (t) => {
  const cases = [
    [{ body: 'Hi' }, undefined],
    [{ body: 'Hi', writtenFor: ['sms'] as const }, ['sms']],
    [{ body: '<p>Hi</p>' }, ['email']],
    [{ design: { blocks: [] } }, ['email']],
    [{ design: {}, writtenFor: ['fcm', 'email'] as const }, ['fcm', 'email']],
    [{ payload: { whatsapp: { templateName: 'a' } } }, ['whatsapp']],
    [{ payload: { kakao: { templateId: 'a' } } }, ['kakao']],
    [{ body: 'Hi', payload: { whatsapp: { templateName: 'a' } } }, undefined],
    [{ payload: { whatsapp: {}, kakao: {} } }, undefined],
    [{ body: 'Hi', payload: { voice: { language: 'en' } } }, undefined],
    [{ body: '1 < 2' }, undefined],
  ] as const;
  for (const [message, channels] of cases)
    t.same(writtenForOf(message), channels, JSON.stringify(message));
});
