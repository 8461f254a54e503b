import { useEffect, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { SearchField } from 'react-aria-components/SearchField';

/** How long a search waits for the next letter, in milliseconds. */
const pauseMs = 150;

/** A search field that reports its text shortly after the last letter. */
export function SearchBox({
  label,
  placeholder,
  onSearch,
}: {
  label: string;
  placeholder: string;
  /** Keep it the same between renders: a new function reports the text again. */
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <search className="search-box">
      <SearchField className="field" value={text} onChange={setText}>
        <Label>{label}</Label>
        <Input placeholder={placeholder} />
      </SearchField>
    </search>
  );
}
