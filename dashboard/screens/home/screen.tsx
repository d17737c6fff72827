// Home: what needs a person.

import { ScreenHead } from '../../ui/screen.tsx';
import { words } from './words.ts';

export default function Home() {
  return <ScreenHead title={words.title} />;
}
