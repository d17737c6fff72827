// The screen that a message is drawn on: a phone's or a desk's, light or dark.

import { useQueryParam } from '../ui/address.ts';
import { Segmented } from '../ui/choices.tsx';
import { words } from './words.ts';

/** Both choices stand in the address. */
export function useScreen(usual: 'phone' | 'desk' = pageWidth()) {
  const [width, setWidth] = useQueryParam('width');
  const [scheme, setScheme] = useQueryParam('scheme');
  return {
    isNarrow: (width ?? usual) === 'phone',
    isDark: (scheme ?? pageScheme()) === 'dark',
    setWidth: (next: string) => setWidth(next === usual ? undefined : next),
    setScheme: (next: string) => setScheme(next === pageScheme() ? undefined : next),
  };
}

export type StageScreen = ReturnType<typeof useScreen>;

export function StageChoices({
  screen,
  isMail,
}: {
  readonly screen: StageScreen;
  readonly isMail: boolean;
}) {
  return (
    <>
      {isMail && (
        <Segmented
          label={words.width}
          choices={[
            { value: 'phone', label: words.phone },
            { value: 'desk', label: words.desk },
          ]}
          value={screen.isNarrow ? 'phone' : 'desk'}
          onChange={screen.setWidth}
        />
      )}
      <Segmented
        label={words.scheme}
        choices={[
          { value: 'light', label: words.light },
          { value: 'dark', label: words.dark },
        ]}
        value={screen.isDark ? 'dark' : 'light'}
        onChange={screen.setScheme}
      />
    </>
  );
}

function pageScheme(): 'light' | 'dark' {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** On a phone, a mail is first shown as one shows it. */
function pageWidth(): 'phone' | 'desk' {
  return matchMedia('(max-width: 640px)').matches ? 'phone' : 'desk';
}
