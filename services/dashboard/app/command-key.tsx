const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Whether an event is the keystroke that opens the palette. */
export const isCommandKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** The keystroke that opens the palette, as this device writes it. */
export const CommandKeys = () => <kbd aria-hidden>{isApple ? '⌘K' : 'Ctrl K'}</kbd>;
