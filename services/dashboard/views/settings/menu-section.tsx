import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useRef, useState } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import type { SectionProps } from './site-section.tsx';
import { type MenuEntry, menuOf } from './starter-settings.ts';
import { strings } from './strings.ts';

type Row = MenuEntry & { key: number };

const ignore = () => undefined;

/** The menu of the starter templates. A menu in another form is left to the other settings. */
export function MenuSection({ site: { settings }, save }: SectionProps) {
  // as it was opened, because the rows are of that
  const [stored] = useState(() => menuOf(settings));
  const lastKey = useRef(0);
  const [rows, setRows] = useState<Row[]>(() => (stored ?? []).map((entry) => ({ ...entry, key: lastKey.current++ })));
  if (!stored) return null;
  const set = (key: number, change: Partial<MenuEntry>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const move = (index: number, by: number) => {
    const next = [...rows];
    next.splice(index + by, 0, ...next.splice(index, 1));
    setRows(next);
  };
  const send = () =>
    save({ settings: { nav: rows.length === 0 ? null : rows.map(({ label, url }) => ({ label, url })) } });
  return (
    <Section title={strings.menu} facts={strings.menuFact}>
      <CallForm send={send} onDone={ignore} submit={strings.save} variant="plain" keepValues>
        {rows.length === 0 && <p className="quiet">{strings.noMenu}</p>}
        <ol className="menu-rows">
          {rows.map(({ key, label, url }, index) => {
            const name = label || strings.entry(index + 1);
            return (
              <li key={key}>
                <Field
                  label={strings.menuLabel(index + 1)}
                  value={label}
                  onChange={(next) => set(key, { label: next })}
                  isRequired
                  autoFocus={label === '' && url === ''}
                />
                <Field
                  label={strings.menuUrl(index + 1)}
                  value={url}
                  onChange={(next) => set(key, { url: next })}
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
                  <IconButton
                    label={strings.removeEntry(name)}
                    onPress={() => setRows(rows.filter((row) => row.key !== key))}
                  >
                    <X aria-hidden size={16} />
                  </IconButton>
                </span>
              </li>
            );
          })}
        </ol>
        <div>
          <Button variant="quiet" onPress={() => setRows([...rows, { key: lastKey.current++, label: '', url: '' }])}>
            <Plus aria-hidden size={16} />
            {strings.addEntry}
          </Button>
        </div>
      </CallForm>
    </Section>
  );
}
