import Search from 'lucide-react/icons/search';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Header, Menu, MenuItem, MenuSection, Text } from 'react-aria-components/Menu';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Input, SearchField } from 'react-aria-components/SearchField';
import { useAllCommands } from './commands.ts';
import { strings } from './strings.ts';

/** The command palette: everything that can be done on this page, found by typing. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const commands = useAllCommands();
  const { contains } = useFilter({ sensitivity: 'base' });
  const groups = [...Map.groupBy(commands, ({ group }) => group)];
  const words = new Map(commands.map(({ title, keywords = '' }) => [title, `${title} ${keywords}`]));
  return (
    <ModalOverlay className="palette-overlay" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="palette">
        <Dialog aria-label={strings.commands}>
          <Autocomplete filter={(text, query) => contains(words.get(text) ?? text, query)}>
            <SearchField
              aria-label={strings.search}
              autoFocus
              className="palette-search"
              // the field would only empty itself, and the palette stay open
              onKeyDown={({ key }) => key === 'Escape' && onClose()}
            >
              <Search aria-hidden size={18} />
              <Input placeholder={strings.search} />
            </SearchField>
            <Menu
              className="palette-list"
              aria-label={strings.commands}
              renderEmptyState={() => <p className="palette-empty">{strings.noCommand}</p>}
              onAction={(id) => {
                onClose();
                commands.find((command) => command.id === id)?.run();
              }}
            >
              {groups.map(([group, entries]) => (
                <MenuSection key={group} id={group}>
                  <Header>{group}</Header>
                  {entries.map(({ id, title }) => (
                    <MenuItem key={id} id={id} textValue={title}>
                      <Text slot="label">{title}</Text>
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
