import { LinkButton } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { strings } from './strings.ts';

/** The page for a path that no view has. */
export function NotFound() {
  return (
    <EmptyState title={strings.notFoundTitle} text={strings.notFoundText}>
      <LinkButton to="/">{strings.backToSites}</LinkButton>
    </EmptyState>
  );
}
