import { useSyncExternalStore } from 'react';

/** `system` follows the setting of the device. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'fieldstone.theme';
const listeners = new Set<() => void>();

function read(): Theme {
  const stored = localStorage.getItem(key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies the stored theme to the page; `app/theme.css` has the colours of both. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = read();
}

/** Stores a theme for this browser and applies it. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
