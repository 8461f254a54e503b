import { useEffect, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { SearchField } from 'react-aria-components/SearchField';
import { Button } from '../../../parts/button.tsx';
import { SelectField } from '../../../parts/select-field.tsx';
import { nameOfType, strings } from '../strings.ts';
import type { Filters } from './filters.ts';

/** How long the search waits for the next letter. */
const pauseMs = 40;

const statuses = ['draft', 'scheduled', 'published', 'archived', 'trash'] as const;

/** The search and the filters of the list. */
export function FilterBar({
  filters,
  onChange,
  typeNames,
  languages,
}: {
  filters: Filters;
  onChange: (change: Filters) => void;
  typeNames: ReadonlyMap<string, string>;
  languages: readonly string[];
}) {
  const [text, setText] = useState(filters.q ?? '');
  const [tag, setTag] = useState(filters.tag ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    if (text === (filters.q ?? '') && tag === (filters.tag ?? '')) return;
    const timer = setTimeout(() => onChange({ q: text, tag }), pauseMs);
    return () => clearTimeout(timer);
  }, [text, tag]);
  const isFiltered = Object.keys(filters).length > 0;
  const isTrash = filters.status === 'trash';
  const clear = () => {
    setText('');
    setTag('');
    onChange({ q: '', tag: '', type: '', locale: '', status: '' as never });
  };
  const options = (values: readonly (readonly [string, string])[]) => [['', strings.any] as const, ...values];
  return (
    <search className="filter-bar">
      <SearchField className="field filter-search" value={text} onChange={setText} isDisabled={isTrash}>
        <Label>{strings.search}</Label>
        <Input placeholder={strings.searchHint} />
      </SearchField>
      <SelectField
        label={strings.status}
        value={filters.status ?? ''}
        options={options(statuses.map((status) => [status, strings.statuses[status]]))}
        onChange={(status) => onChange({ status: status as NonNullable<Filters['status']> })}
      />
      <SelectField
        label={strings.type}
        value={filters.type ?? ''}
        isDisabled={isTrash}
        options={options([...typeNames.keys()].map((type) => [type, nameOfType(type, typeNames)]))}
        onChange={(type) => onChange({ type })}
      />
      {languages.length > 1 && (
        <SelectField
          label={strings.language}
          value={filters.locale ?? ''}
          isDisabled={isTrash}
          options={options(languages.map((locale) => [locale, locale]))}
          onChange={(locale) => onChange({ locale })}
        />
      )}
      <SearchField className="field filter-tag" value={tag} onChange={setTag} isDisabled={isTrash}>
        <Label>{strings.tag}</Label>
        <Input />
      </SearchField>
      {isFiltered && (
        <Button variant="quiet" onPress={clear}>
          {strings.clearFilters}
        </Button>
      )}
    </search>
  );
}
