import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { z } from 'zod';
import type { createdKeyRecord, keysRecord } from '../../../features/keys/schema.ts';
import { callOwn } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { ConfirmDialog, DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notify.ts';
import { Page } from '../../parts/page.tsx';
import { SecretText } from '../../parts/secret-text.tsx';
import { Time } from '../../parts/time.tsx';
import { CreateKeyForm } from './create-key-form.tsx';
import { RotateKeyForm } from './rotate-key-form.tsx';
import { strings } from './strings.ts';

type Keys = z.output<typeof keysRecord>;
type Key = Keys['keys'][number];
export type CreatedKey = z.output<typeof createdKeyRecord>;

const queryKey = ['keys'] as const;

/** What the dialog is about; `created` shows the secret of a new or rotated key. */
type Opened =
  | { kind: 'create' }
  | { kind: 'rotate'; key: Key }
  | { kind: 'revoke'; key: Key }
  | { kind: 'created'; created: CreatedKey };

const isExpired = ({ expires_at }: Key): boolean => expires_at !== null && Date.parse(expires_at) <= Date.now();
const isActive = (key: Key): boolean => key.revoked_at === null && !isExpired(key);

function KeyFacts({ apiKey: key, showsUser }: { apiKey: Key; showsUser: boolean }) {
  return (
    <div>
      <strong>{key.name}</strong>{' '}
      {key.revoked_at !== null ? (
        <Badge tone="bad">{strings.revoked}</Badge>
      ) : (
        isExpired(key) && <Badge tone="warn">{strings.expired}</Badge>
      )}
      <small>
        {key.scopes.join(', ')} · {key.sites.map((site) => (site === '*' ? strings.onEverySite : site)).join(', ')}
      </small>
      <small>
        {showsUser && `${strings.of(key.user)} · `}
        {key.last_used_at === null ? (
          strings.neverUsed
        ) : (
          <>
            {strings.lastUsed} <Time at={key.last_used_at} />
          </>
        )}
        {key.expires_at !== null && isActive(key) && (
          <>
            {' · '}
            {strings.expires} <Time at={key.expires_at} />
          </>
        )}
      </small>
    </div>
  );
}

function KeyDialog({
  opened,
  scopes,
  onOpen,
  onClose,
}: {
  opened: Opened;
  scopes: Keys['scopes'];
  onOpen: (opened: Opened) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey });
  const onCreated = (created: CreatedKey) => {
    onOpen({ kind: 'created', created });
    void refresh();
  };
  switch (opened.kind) {
    case 'create':
      return (
        <DialogBox title={strings.create} onClose={onClose} mustBeClosed>
          <CreateKeyForm scopes={scopes} onCreated={onCreated} />
        </DialogBox>
      );
    case 'rotate':
      return (
        <DialogBox title={strings.rotateTitle(opened.key.name)} onClose={onClose}>
          <RotateKeyForm id={opened.key.id} onRotated={onCreated} />
        </DialogBox>
      );
    case 'revoke':
      return (
        <ConfirmDialog
          title={strings.revokeTitle(opened.key.name)}
          text={strings.revokeText}
          confirm={strings.revokeConfirm}
          run={async () => {
            await callOwn('DELETE', `/keys/${opened.key.id}`);
            await refresh();
            notify(strings.revokedNotice);
          }}
          onClose={onClose}
        />
      );
    case 'created':
      return (
        <DialogBox title={strings.createdTitle(opened.created.name)} onClose={onClose} mustBeClosed>
          <div className="form">
            <SecretText text={strings.shownOnce} secret={opened.created.key} label={strings.copyKey} />
            <div>
              <Button variant="primary" onPress={onClose}>
                {strings.kept}
              </Button>
            </div>
          </div>
        </DialogBox>
      );
  }
}

/** The API keys of the person; of all users for administrators. */
export default function KeysPage() {
  const me = useMe();
  const keys = useQuery({ queryKey, queryFn: ({ signal }) => callOwn<Keys>('GET', '/keys', undefined, signal) });
  const [shown, setShown] = useState<'active' | 'ended'>('active');
  const [opened, setOpened] = useState<Opened>();
  const openForm = useCallback(() => setOpened({ kind: 'create' }), []);
  const create = <CreateButton id="create-key" title={strings.create} group={strings.title} onPress={openForm} />;
  return (
    <Loaded query={keys}>
      {({ keys: all, scopes }) => {
        const listed = all.filter((key) => isActive(key) === (shown === 'active'));
        return (
          <Page
            title={strings.title}
            lead={me.administrator ? strings.leadAdministrator : strings.lead}
            actions={create}
          >
            {all.some((key) => !isActive(key)) && (
              <Choice
                label={strings.show}
                value={shown}
                options={[
                  { value: 'active', label: strings.active },
                  { value: 'ended', label: strings.ended },
                ]}
                onChange={setShown}
              />
            )}
            {listed.length === 0 && shown === 'ended' && <p>{strings.noEnded}</p>}
            {listed.length === 0 && shown === 'active' && (
              <EmptyState title={strings.noKeys} text={strings.noKeysText} />
            )}
            <ul className="rows" aria-label={strings.title}>
              {listed.map((key) => (
                <li key={key.id}>
                  <KeyFacts apiKey={key} showsUser={me.administrator} />
                  {shown === 'active' && (
                    <div className="buttons">
                      <Button
                        variant="quiet"
                        aria-label={strings.rotateOf(key.name)}
                        onPress={() => setOpened({ kind: 'rotate', key })}
                      >
                        {strings.rotate}
                      </Button>
                      <Button
                        variant="quiet"
                        aria-label={strings.revokeOf(key.name)}
                        onPress={() => setOpened({ kind: 'revoke', key })}
                      >
                        {strings.revoke}
                      </Button>
                    </div>
                  )}
                </li>
              ))}
            </ul>
            {opened && (
              <KeyDialog opened={opened} scopes={scopes} onOpen={setOpened} onClose={() => setOpened(undefined)} />
            )}
          </Page>
        );
      }}
    </Loaded>
  );
}
