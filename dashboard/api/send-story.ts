// How screens ask for a send and its story. Its content is asked for by whoever draws it: the live
// stream brings the story again with each receipt.

export function storyOfSend(appId: string, id: string) {
  return { path: { appId, id }, query: { story: 'true', content: 'false' } } as const;
}
