// The kinds of content that files hold: their folder, how the API calls them, what names one, and
// which fields that the API takes are in no file.

/** A kind with one file for each thing. */
export interface Kind {
  readonly folder: string;
  /** The group of methods of the client. */
  readonly group: string;
  /** What one of them is called in sentences and in the names of schemas. */
  readonly noun: string;
  /** The operation whose body describes a file. */
  readonly created: string;
  /** What the API names one by. */
  readonly address: 'id' | 'key';
  /** What people name one by; the first of these fields that a thing has. */
  readonly named: readonly string[];
  /** Fields that the API takes and files do not have. */
  readonly inNoFile: readonly string[];
  /** What is asked for when all are listed. */
  readonly query: Readonly<Record<string, string>>;
  /** Fields of a new thing that files do not have. */
  readonly made?: Readonly<Record<string, unknown>>;
}

const oldestFirst = { order: 'oldest' };

/** In the order in which they are created: what another refers to comes first. */
export const kinds: readonly Kind[] = [
  {
    folder: 'segments',
    group: 'segments',
    noun: 'segment',
    created: 'createSegment',
    address: 'id',
    named: ['name'],
    inNoFile: [],
    query: oldestFirst,
  },
  {
    folder: 'topics',
    group: 'topics',
    noun: 'topic',
    created: 'createTopic',
    address: 'key',
    named: ['key'],
    inNoFile: [],
    query: {},
  },
  {
    folder: 'forms',
    group: 'forms',
    noun: 'form',
    created: 'createForm',
    address: 'key',
    named: ['key'],
    inNoFile: ['archived'],
    query: {},
  },
  {
    folder: 'templates',
    group: 'messageTemplates',
    noun: 'template',
    created: 'createMessageTemplate',
    address: 'id',
    named: ['name'],
    inNoFile: [],
    query: oldestFirst,
  },
  {
    folder: 'messages',
    group: 'messages',
    noun: 'message',
    created: 'createMessage',
    address: 'id',
    named: ['name', 'title'],
    inNoFile: [],
    query: oldestFirst,
  },
  {
    folder: 'flags',
    group: 'flags',
    noun: 'flag',
    created: 'createFlag',
    address: 'key',
    named: ['key'],
    inNoFile: [],
    query: oldestFirst,
  },
  {
    folder: 'in-app-messages',
    group: 'inAppMessages',
    noun: 'in-app-message',
    created: 'createInAppMessage',
    address: 'id',
    named: ['message'],
    inNoFile: ['inbox'],
    query: oldestFirst,
  },
  {
    folder: 'campaigns',
    group: 'campaigns',
    noun: 'campaign',
    created: 'createCampaign',
    address: 'id',
    named: ['name'],
    inNoFile: [],
    query: { ...oldestFirst, state: 'draft' },
  },
  {
    folder: 'journeys',
    group: 'journeys',
    noun: 'journey',
    created: 'createJourney',
    address: 'id',
    named: ['name'],
    inNoFile: ['active'],
    query: oldestFirst,
    made: { active: false },
  },
];

/** The settings of the app: one file, which is never created or deleted. */
export const settingsKind: Kind = {
  folder: '',
  group: 'apps',
  noun: 'settings',
  created: 'updateSettings',
  address: 'id',
  named: [],
  inNoFile: ['webhookUrl', 'secret'],
  query: {},
};

/** The fields that refer to something by its id, as files have them, and what they refer to. */
export const contentReferences: Readonly<
  Record<string, { readonly file: string; readonly folder: string }>
> = {
  messageId: { file: 'message', folder: 'messages' },
  segmentId: { file: 'segment', folder: 'segments' },
  triggerSegmentId: { file: 'triggerSegment', folder: 'segments' },
  templateId: { file: 'template', folder: 'templates' },
};

/** What a person named: references are looked for nowhere below. */
export const withoutReferences: ReadonlySet<string> = new Set([
  'filter',
  'data',
  'payload',
  'localizations',
  'design',
]);
