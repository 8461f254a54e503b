import { useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import type { FormProps } from './dialogs.tsx';
import { strings } from './strings.ts';
import { isAllowedLink } from './urls.ts';

/** Adds the scheme to what looks like a host: `example.com/x` is meant as a link to another site. */
const completeUrl = (text: string): string =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+([/?#]|$)/i.test(text) ? `https://${text}` : text;

/** The form of a link around the selected text. */
export function LinkForm({ editor, onClose }: FormProps) {
  const current = editor.getAttributes('link')['href'] as string | undefined;
  const [url, setUrl] = useState(current ?? '');
  const href = completeUrl(url.trim());
  const set = () => {
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && current === undefined)
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setLink({ href }).run();
    onClose();
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (href !== '' && isAllowedLink(href)) set();
      }}
    >
      <Field
        label={strings.url}
        description={strings.linkHint}
        value={url}
        onChange={setUrl}
        isRequired
        autoFocus
        validate={() => (isAllowedLink(href) ? null : strings.linkInvalid)}
      />
      <div className="buttons">
        <Button type="submit" variant="primary">
          {strings.setLink}
        </Button>
        {current !== undefined && (
          <Button
            onPress={() => {
              editor.chain().focus().extendMarkRange('link').unsetLink().run();
              onClose();
            }}
          >
            {strings.removeLink}
          </Button>
        )}
      </div>
    </form>
  );
}
