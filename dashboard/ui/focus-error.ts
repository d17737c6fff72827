// Leads to the first field that the server refused, which may be out of sight.

import { useEffect } from 'react';
import type { ApiError } from '../api/errors.ts';

export function useFocusError(error: ApiError | undefined): void {
  useEffect(() => {
    if (error === undefined || error.issues.length === 0) return;
    document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
}
