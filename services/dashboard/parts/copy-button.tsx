import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { strings } from '../app/strings.ts';
import { Button } from './button.tsx';
import { notifyProblem } from './notify.ts';

const shownMs = 2_000;

/** A button that copies a text, and says so for two seconds. */
export function CopyButton({ text, label = strings.copy }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <Button onPress={() => void copy().catch(notifyProblem)}>
      {isCopied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
      <span aria-live="polite">{isCopied ? strings.copied : label}</span>
    </Button>
  );
}
