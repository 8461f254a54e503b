import { useEffect, useRef } from 'react';

/** Calls `save` for Ctrl+S and Cmd+S, instead of the browser's own command. */
export function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // with Caps Lock the key is S
      const isS = event.key.toLowerCase() === 's' && !event.shiftKey && !event.altKey;
      if (!isS || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
