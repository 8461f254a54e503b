import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import type { z } from 'zod';
import type { recoveryCodesRecord, totpRecord } from '../../../features/people/schema.ts';
import { callOwn } from '../../app/api.ts';
import { type Me, meKey } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Field } from '../../parts/field.tsx';
import { notify } from '../../parts/notify.ts';
import { strings } from './strings.ts';

type Totp = z.output<typeof totpRecord>;
type RecoveryCodes = z.output<typeof recoveryCodesRecord>;

/** The text as a QR code, dark on light in both themes because that is what readers expect. */
function QrCode({ text }: { text: string }) {
  const { size, data } = useMemo(() => encode(text, { border: 2 }), [text]);
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={strings.picture}>
      <path d={squares.join('')} />
    </svg>
  );
}

const PresentPassword = ({ me }: { me: Me }) =>
  me.has_password ? (
    <Field name="password" type="password" label={strings.presentPassword} autoComplete="current-password" isRequired />
  ) : null;

/** Turning the second factor on, in three steps (password, first code, recovery codes), and off. */
export function SecondFactorSection({ me }: { me: Me }) {
  const client = useQueryClient();
  const [totp, setTotp] = useState<Totp>();
  const [codes, setCodes] = useState<string[]>();
  const refresh = () => client.invalidateQueries({ queryKey: meKey });

  if (codes)
    return (
      <div className="recovery-codes" role="status">
        <h3>{strings.recoveryTitle}</h3>
        <p>{strings.recoveryText}</p>
        <ul>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="buttons">
          <CopyButton text={codes.join('\n')} label={strings.copyCodes} />
          <Button variant="primary" onPress={() => setCodes(undefined)}>
            {strings.codesKept}
          </Button>
        </div>
      </div>
    );
  if (totp)
    return (
      <div className="second-factor">
        <p>{strings.scan}</p>
        <QrCode text={totp.uri} />
        <p>
          {strings.key} <code className="secret">{totp.secret}</code>
        </p>
        <CallForm
          send={(values) => callOwn<RecoveryCodes>('POST', '/me/totp/confirm', values)}
          onDone={({ recovery_codes }) => {
            setTotp(undefined);
            setCodes(recovery_codes);
            void refresh();
          }}
          submit={strings.turnOn}
        >
          <Field
            name="code"
            label={strings.code}
            autoComplete="one-time-code"
            inputMode="numeric"
            isRequired
            autoFocus
          />
        </CallForm>
      </div>
    );
  if (me.totp.enabled)
    return (
      <>
        <p>{strings.secondFactorOn(me.totp.recovery_codes)}</p>
        <CallForm
          send={(values) => callOwn('POST', '/me/totp/remove', values)}
          onDone={async () => {
            await refresh();
            notify(strings.turnedOff);
          }}
          submit={strings.turnOff}
          variant="plain"
        >
          <PresentPassword me={me} />
        </CallForm>
      </>
    );
  return (
    <>
      <p>{strings.secondFactorOff}</p>
      <CallForm
        send={(values) => callOwn<Totp>('POST', '/me/totp', values)}
        onDone={setTotp}
        submit={strings.setUp}
        variant="plain"
      >
        <PresentPassword me={me} />
      </CallForm>
    </>
  );
}
