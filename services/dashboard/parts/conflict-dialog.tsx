import { strings } from '../app/strings.ts';
import { ActionButton } from './action-button.tsx';
import { Button } from './button.tsx';
import { DialogBox } from './dialog-box.tsx';

/** Asks what counts after another user has changed a record that is edited here (412 `precondition_failed`). */
export const ConflictDialog = ({
  keepMine,
  takeTheirs,
  onClose,
}: {
  /** Saves what was edited here over the other change. */
  keepMine: () => Promise<unknown>;
  /** Shows the stored record and drops what was edited here. */
  takeTheirs: () => Promise<unknown>;
  onClose: () => void;
}) => (
  <DialogBox title={strings.conflictTitle} onClose={onClose} isAlert mustBeClosed>
    <div className="form">
      <p>{strings.conflictText}</p>
      <div className="buttons">
        <ActionButton run={keepMine} onDone={onClose}>
          {strings.keepMine}
        </ActionButton>
        <ActionButton run={takeTheirs} onDone={onClose}>
          {strings.takeTheirs}
        </ActionButton>
        <Button variant="quiet" onPress={onClose} autoFocus>
          {strings.cancel}
        </Button>
      </div>
    </div>
  </DialogBox>
);
