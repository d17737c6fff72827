// The app that is open, on screens of the org too, where there may be none.

import { useContext } from 'react';
import { AppContext } from '../api/session-context.tsx';

export function useOpenApp() {
  return useContext(AppContext);
}
