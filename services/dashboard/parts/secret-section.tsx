import { useState } from 'react';
import { strings } from '../app/strings.ts';
import { ActionButton } from './action-button.tsx';
import { Button } from './button.tsx';
import { SecretText } from './secret-text.tsx';

/** A signing secret that can be shown again and replaced. */
export function SecretSection({
  text,
  show,
  rotate,
}: {
  /** What the secret is for, and that showing it is recorded. */
  text: string;
  show: () => Promise<string>;
  /** Replaces the secret and returns the new one. */
  rotate: () => Promise<string>;
}) {
  const [shown, setShown] = useState<{ secret: string; isNew: boolean }>();
  return (
    <>
      {shown ? (
        <SecretText text={shown.isNew ? strings.secretReplaced : strings.secretShown} secret={shown.secret} />
      ) : (
        <p>{text}</p>
      )}
      <div className="buttons">
        {shown ? (
          <Button onPress={() => setShown(undefined)}>{strings.hideSecret}</Button>
        ) : (
          <ActionButton run={show} onDone={(secret) => setShown({ secret, isNew: false })}>
            {strings.showSecret}
          </ActionButton>
        )}
        <ActionButton variant="quiet" run={rotate} onDone={(secret) => setShown({ secret, isNew: true })}>
          {strings.replaceSecret}
        </ActionButton>
      </div>
    </>
  );
}
