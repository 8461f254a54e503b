import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useRef } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { useEdited } from '../../parts/use-edited.ts';
import type { SectionProps } from './site-section.tsx';
import { type MenuEntry, menuOf } from './starter-settings.ts';
import { strings } from './strings.ts';

const ignore = () => undefined;

/** The menu of the starter templates. A menu in another form is left to the other settings. */
export function MenuSection({ site: { settings }, save, unsaved }: SectionProps) {
  const stored = menuOf(settings);
  const { value, edit, submit } = useEdited({ rows: stored ?? [] }, unsaved);
  const { rows } = value;
  const lastKey = useRef(0);
  // the keys of the rows, which move with them
  const keys = useRef<number[]>([]);
  while (keys.current.length < rows.length) keys.current.push(lastKey.current++);
  if (!stored) return null;
  const set = (at: number, change: Partial<MenuEntry>) =>
    edit({ rows: rows.map((row, index) => (index === at ? { ...row, ...change } : row)) });
  const move = (index: number, by: number) => {
    const next = [...rows];
    for (const list of [next, keys.current] as unknown[][]) list.splice(index + by, 0, ...list.splice(index, 1));
    edit({ rows: next });
  };
  const remove = (at: number) => {
    keys.current.splice(at, 1);
    edit({ rows: rows.filter((_row, index) => index !== at) });
  };
  const send = () => submit(() => save({ settings: { nav: rows.length === 0 ? null : rows } }));
  return (
    <Section title={strings.menu} facts={strings.menuFact}>
      <CallForm send={send} onDone={ignore} submit={strings.save} variant="plain" keepValues>
        {rows.length === 0 && <p className="quiet">{strings.noMenu}</p>}
        <ol className="menu-rows">
          {rows.map(({ label, url }, index) => {
            const name = label || strings.entry(index + 1);
            return (
              <li key={keys.current[index]}>
                <Field
                  label={strings.menuLabel(index + 1)}
                  value={label}
                  onChange={(next) => set(index, { label: next })}
                  isRequired
                  autoFocus={label === '' && url === ''}
                />
                <Field
                  label={strings.menuUrl(index + 1)}
                  value={url}
                  onChange={(next) => set(index, { url: next })}
                  placeholder={strings.menuUrlHint}
                  isRequired
                />
                <span className="menu-buttons">
                  <IconButton label={strings.moveUp(name)} isDisabled={index === 0} onPress={() => move(index, -1)}>
                    <ArrowUp aria-hidden size={16} />
                  </IconButton>
                  <IconButton
                    label={strings.moveDown(name)}
                    isDisabled={index === rows.length - 1}
                    onPress={() => move(index, 1)}
                  >
                    <ArrowDown aria-hidden size={16} />
                  </IconButton>
                  <IconButton label={strings.removeEntry(name)} onPress={() => remove(index)}>
                    <X aria-hidden size={16} />
                  </IconButton>
                </span>
              </li>
            );
          })}
        </ol>
        <div>
          <Button variant="quiet" onPress={() => edit({ rows: [...rows, { label: '', url: '' }] })}>
            <Plus aria-hidden size={16} />
            {strings.addEntry}
          </Button>
        </div>
      </CallForm>
    </Section>
  );
}
