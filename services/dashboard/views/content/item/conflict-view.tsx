import { Button } from '../../../parts/button.tsx';
import type { Conflict, DraftSession, DraftState } from './draft-session.ts';
import { strings } from './strings.ts';
import { TextChanges, textOf } from './text-changes.tsx';

const nameOf = (member: string): string => strings.members[member] ?? member;

/** Shows what another user saved in between, and asks which version to keep. */
export function ConflictView({
  session,
  state,
  conflict,
}: {
  session: DraftSession;
  state: DraftState;
  conflict: Conflict;
}) {
  const isItem = conflict.kind === 'item';
  return (
    <section className="conflict" aria-label={isItem ? strings.conflictTitle : strings.draftConflictTitle} role="alert">
      <h2>{isItem ? strings.conflictTitle : strings.draftConflictTitle}</h2>
      <p>{isItem ? strings.conflictText(conflict.members.map(nameOf).join(', ')) : strings.draftConflictText}</p>
      {isItem &&
        conflict.members.map((member) => (
          <div key={member} className="conflict-member">
            <h3>{nameOf(member)}</h3>
            <TextChanges
              from={textOf((conflict.theirs.data as Record<string, unknown>)[member])}
              to={textOf(({ ...state.changes, ...conflict.applying } as Record<string, unknown>)[member])}
              fromLabel={strings.theirs}
              toLabel={strings.mine}
            />
          </div>
        ))}
      <div className="buttons">
        <Button onPress={() => void session.keepMine()}>{strings.keepMine}</Button>
        <Button onPress={() => void session.takeTheirs()}>{strings.takeTheirs}</Button>
      </div>
    </section>
  );
}
