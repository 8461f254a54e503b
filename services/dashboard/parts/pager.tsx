import type { Page } from '../app/api.ts';
import { strings } from '../app/strings.ts';
import { Button } from './button.tsx';

/** Goes through the pages of a list; shows nothing if there is only one. */
export function Pager({
  pagination: { page, total_pages },
  onChange,
}: {
  pagination: Page<unknown>['pagination'];
  onChange: (page: number) => void;
}) {
  if (total_pages <= 1) return null;
  return (
    <nav className="buttons pager" aria-label={strings.pages}>
      <Button isDisabled={page <= 1} onPress={() => onChange(page - 1)}>
        {strings.previousPage}
      </Button>
      <span>{strings.pageOf(page, total_pages)}</span>
      <Button isDisabled={page >= total_pages} onPress={() => onChange(page + 1)}>
        {strings.nextPage}
      </Button>
    </nav>
  );
}
