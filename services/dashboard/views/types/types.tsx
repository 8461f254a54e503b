import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { Problem, toProblem } from '../../app/problem.ts';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { fieldNames } from './fields.ts';
import { strings } from './strings.ts';
import { useTypeCalls, useTypes } from './type-data.ts';

/** The content types of a site that have fields of their own. */
export default function TypesPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const mayWrite = may(useMe(), 'types.write', site) !== 'none';
  const navigate = useNavigate();
  const types = useTypes(site);
  const calls = useTypeCalls(site);
  const [isAdding, setAdding] = useState(false);
  const open = useCallback(() => setAdding(true), []);
  const create = async ({ type = '', name = '' }: Record<string, string>) => {
    await calls.create(type, { name, fields_schema: { type: 'object', properties: {} } }).catch((error: unknown) => {
      const { status, code } = toProblem(error);
      if (status !== 412) throw error;
      const message = strings.inUse(type);
      throw new Problem(message, { code, status, details: [{ path: 'type', message }] });
    });
    await navigate({ to: `/sites/${site}/types/${type}` });
  };
  const button = mayWrite && (
    <CreateButton id="create-type" title={strings.create} group={strings.title} onPress={open} />
  );
  return (
    <Page title={strings.title} lead={strings.lead} actions={button}>
      <Loaded query={types}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={strings.none} text={strings.noneText} />
          ) : (
            <ul className="rows" aria-label={strings.title}>
              {all.map((record) => (
                <li key={record.type}>
                  <div>
                    <Link to={`/sites/${site}/types/${record.type}`}>
                      <strong>{record.name}</strong>
                    </Link>
                    <small>
                      {record.type} · {strings.fields(fieldNames(record.fields_schema).length)}
                    </small>
                  </div>
                  {mayWrite && (
                    <div className="buttons">
                      <ActionButton
                        variant="quiet"
                        aria-label={strings.deleteOf(record.name)}
                        run={() => calls.remove(record.type)}
                      >
                        {strings.delete}
                      </ActionButton>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdding && (
        <DialogBox title={strings.create} onClose={() => setAdding(false)}>
          <CallForm send={create} onDone={() => setAdding(false)} submit={strings.create} keepValues>
            <Field name="type" label={strings.type} description={strings.typeHint} isRequired autoFocus />
            <Field name="name" label={strings.name} description={strings.nameHint} maxLength={500} isRequired />
          </CallForm>
        </DialogBox>
      )}
    </Page>
  );
}
