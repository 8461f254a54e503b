import { CopyButton } from './copy-button.tsx';

/** A secret or a link that is to be copied: `text` says what it is. */
export const SecretText = ({ text, secret, label }: { text: string; secret: string; label?: string }) => (
  <div className="secret-text" role="status">
    <p>{text}</p>
    <code>{secret}</code>
    <CopyButton text={secret} {...(label === undefined ? {} : { label })} />
  </div>
);
