import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { dataOf, rest } from '../../../app/api.ts';
import { Button } from '../../../parts/button.tsx';
import { CallForm } from '../../../parts/call-form.tsx';
import { Field } from '../../../parts/field.tsx';
import { SelectField } from '../../../parts/select-field.tsx';
import { nameOfType, strings } from '../strings.ts';
import { refreshContent } from './bulk.ts';

/** The button that creates an item: it asks for the title, and opens the new item. */
export function NewItem({
  site,
  typeNames,
  languages,
  isOpen,
  onOpenChange,
}: {
  site: string;
  typeNames: ReadonlyMap<string, string>;
  languages: readonly string[];
  /** Whether the form is open. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [type, setType] = useState('post');
  const [locale, setLocale] = useState<string>();
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      <Button variant="primary">
        <Plus aria-hidden size={16} />
        {strings.newItem}
      </Button>
      <ModalOverlay className="dialog-overlay" isDismissable>
        <Modal className="dialog-box">
          <Dialog className="dialog">
            <Heading slot="title">{strings.newItem}</Heading>
            <CallForm
              submit={strings.create}
              send={({ title = strings.untitled }) =>
                dataOf(
                  rest.POST('/sites/{site}/content', {
                    params: { path: { site } },
                    body: { title, type, ...(locale === undefined ? {} : { locale }) },
                  }),
                )
              }
              onDone={async ({ id }) => {
                void refreshContent(client, site);
                await navigate({ to: `/sites/${site}/content/${id}` });
              }}
            >
              <Field
                label={strings.newTitle}
                name="title"
                isRequired
                autoFocus
                maxLength={2000}
                description={strings.newHint}
              />
              <SelectField
                label={strings.newType}
                value={type}
                options={[...typeNames.keys()].map((name) => [name, nameOfType(name, typeNames)] as const)}
                onChange={setType}
              />
              {languages.length > 1 && (
                <SelectField
                  label={strings.newLanguage}
                  value={locale ?? languages[0]!}
                  options={languages.map((name) => [name, name] as const)}
                  onChange={setLocale}
                />
              )}
            </CallForm>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}
