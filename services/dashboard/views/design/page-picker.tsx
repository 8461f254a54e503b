import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox';
import { usePages } from './pages.ts';
import { strings } from './strings.ts';

/** Chooses the page that the preview shows: by its title, or by typing its path. */
export function PagePicker({ site, path, onChange }: { site: string; path: string; onChange: (path: string) => void }) {
  const [text, setText] = useState<string>(strings.home);
  const [isSearching, setSearching] = useState(false);
  const pages = usePages(site, isSearching ? text.trim() : '');
  return (
    <ComboBox
      className="page-picker"
      aria-label={strings.page}
      items={pages.map((page) => ({ ...page, id: page.path }))}
      inputValue={text}
      onInputChange={(value) => {
        setText(value);
        setSearching(true);
      }}
      value={path}
      onChange={(key) => {
        if (key === null) return;
        const chosen = pages.find((page) => page.path === key);
        setText(chosen?.title ?? String(key));
        setSearching(false);
        onChange(String(key));
      }}
      onOpenChange={(isOpen) => isOpen || setSearching(false)}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Input placeholder={strings.pageHint} onFocus={(event) => event.currentTarget.select()} />
      <Button className="icon-button" aria-label={strings.page}>
        <ChevronDown aria-hidden size={15} />
      </Button>
      <Popover className="popover page-popover">
        <ListBox<{ id: string; path: string; title: string }>
          className="page-list"
          renderEmptyState={() => <p className="palette-empty">{strings.noPages}</p>}
        >
          {(page) => (
            <ListBoxItem id={page.path} textValue={page.title} className="page-option">
              <span>{page.title}</span>
              <code>{page.path}</code>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
