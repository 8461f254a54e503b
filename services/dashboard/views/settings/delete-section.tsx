import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { rest } from '../../app/api.ts';
import { Button } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { Field } from '../../parts/field.tsx';
import { notify } from '../../parts/notify.ts';
import { Section } from '../../parts/page.tsx';
import type { Site } from './site-data.ts';
import { strings } from './strings.ts';

/** Deletes the site after its slug was typed, because that cannot be undone. */
export function DeleteSection({ site: { slug, name } }: { site: Site }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const onDone = async () => {
    setOpen(false);
    await navigate({ to: '/', ignoreBlocker: true });
    client.removeQueries({ queryKey: ['sites', slug] });
    await client.invalidateQueries({ queryKey: ['sites'] });
    notify(strings.deleted(name));
  };
  return (
    <Section title={strings.delete}>
      <p>{strings.deleteText}</p>
      <Button variant="danger" onPress={() => setOpen(true)}>
        {strings.delete}
      </Button>
      {isOpen && (
        <DialogBox title={strings.delete} onClose={() => setOpen(false)} isAlert mustBeClosed>
          <CallForm
            send={() => rest.DELETE('/sites/{site}', { params: { path: { site: slug } } })}
            onDone={onDone}
            submit={strings.delete}
            variant="danger"
          >
            <p>{strings.deleteText}</p>
            <Field
              name="slug"
              label={strings.deleteField}
              description={strings.deleteHint(slug)}
              autoComplete="off"
              isRequired
              autoFocus
              validate={(text) => (text === slug ? null : strings.deleteMismatch(slug))}
            />
          </CallForm>
        </DialogBox>
      )}
    </Section>
  );
}
