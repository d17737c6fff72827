// A starter in the size of a card: its channel's look, or for a mail the outline of its blocks.
// Nothing in it can be reached; the card is the button.

import type { Block, Design } from '../../editor/blocks/model.ts';
import { designOf, textValue } from '../../editor/blocks/model.ts';
import { Look } from '../../preview/look.tsx';
import type { MessageBody } from './draft.ts';

/** One instant for all cards. */
const at = new Date().toISOString();
const samples: Readonly<Record<string, string>> = {
  code: '417 702',
  order_id: 'A-1042',
  product: 'The blue lamp',
  date: 'Tuesday',
  time: '9:30',
};

export function StarterLook({
  message,
  channel,
  appName,
}: {
  readonly message: MessageBody;
  readonly channel: string;
  readonly appName: string;
}) {
  const design = designOf(message.design ?? undefined);
  return (
    <div className="starter-look" inert>
      {design === undefined ? (
        <Look message={shownOf(message, channel, appName)} />
      ) : (
        <Outline design={design} />
      )}
    </div>
  );
}

function shownOf(message: MessageBody, channel: string, appName: string) {
  const { title, body = '', buttons = [] } = message;
  const words = filledIn(body ?? '', appName);
  return {
    channel,
    at,
    to: '',
    sender: appName,
    ...(title == null || channel === 'sms' ? {} : { title: filledIn(title, appName) }),
    text: words,
    said: [words],
    buttons: (buttons ?? []).map(({ label = '' }) => ({ label: label ?? '' })),
  };
}

/** As for somebody without tags. The server renders the rest once it is open. */
function filledIn(template: string, appName: string): string {
  return template.replace(
    /\{\{\s*([\w.]+)(?:\s*\|\s*default:\s*'([^']*)')?\s*\}\}/g,
    (_, name: string, instead?: string) =>
      instead ?? (name === 'app.name' ? appName : (samples[name] ?? name)),
  );
}

function Outline({ design }: { readonly design: Design }) {
  return (
    <div className="mail-outline">
      {design.blocks.map((block) => (
        <OutlineBlock key={block.id} block={block} />
      ))}
    </div>
  );
}

function OutlineBlock({ block }: { readonly block: Block }) {
  if (block.columns !== undefined)
    return (
      <div className="mail-part-columns">
        {block.columns.map((own, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name than its place
          <div key={nth}>
            {own.map((one) => (
              <OutlineBlock key={one.id} block={one} />
            ))}
          </div>
        ))}
      </div>
    );
  const lines = linesOf(block);
  return (
    <div className={`mail-part mail-part-${block.kind}`}>
      {Array.from({ length: lines }, (_, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines that are all the same
        <i key={nth} />
      ))}
    </div>
  );
}

/** As many as its words would fill. */
function linesOf(block: Block): number {
  switch (block.kind) {
    case 'text':
      return Math.min(3, 1 + Math.floor(textValue(block, 'words').length / 60));
    case 'list':
      return textValue(block, 'items').split('\n').length;
    case 'table':
      return textValue(block, 'rows').split('\n').length;
    case 'menu':
    case 'social':
      return textValue(block, 'links').split('\n').length;
    case 'hero':
      return 3;
    case 'quote':
      return 2;
    default:
      return 1;
  }
}
