import { DialogBox } from '../../../parts/dialog-box.tsx';
import { strings } from '../strings.ts';
import type { Refused } from './bulk.ts';

const maxShown = 100;

/** The items that an action could not change, each with the reason. */
export const RefusedDialog = ({ refused, onClose }: { refused: readonly Refused[]; onClose: () => void }) => (
  <DialogBox title={strings.refusedTitle(refused.length)} onClose={onClose}>
    <ul className="rows">
      {refused.slice(0, maxShown).map(({ item, message }) => (
        <li key={item.id}>
          <div>
            <strong>{item.title}</strong>
            <small>{message}</small>
          </div>
        </li>
      ))}
    </ul>
    {refused.length > maxShown && <p>{strings.moreRefused(refused.length - maxShown)}</p>}
  </DialogBox>
);
