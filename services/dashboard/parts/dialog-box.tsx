import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { strings } from '../app/strings.ts';
import { ActionButton } from './action-button.tsx';
import { Button } from './button.tsx';

/**
 * A dialog above the page, closed with Escape. With `mustBeClosed` a click beside it does not close it: it shows what is not shown again,
 * or asks.
 */
export const DialogBox = ({
  title,
  onClose,
  mustBeClosed = false,
  isAlert = false,
  children,
}: {
  title: string;
  onClose: () => void;
  mustBeClosed?: boolean;
  isAlert?: boolean;
  children: ReactNode;
}) => (
  <ModalOverlay
    className="dialog-overlay"
    isOpen
    isDismissable={!mustBeClosed}
    onOpenChange={(isOpen) => isOpen || onClose()}
  >
    <Modal className="dialog-box">
      <Dialog className="dialog" {...(isAlert ? { role: 'alertdialog' } : {})}>
        <Heading slot="title">{title}</Heading>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
);

/** Asks before something that cannot be undone. `run` is what is then done; the dialog closes when it has succeeded. */
export const ConfirmDialog = ({
  title,
  text,
  confirm,
  run,
  onClose,
}: {
  title: string;
  /** What is lost. */
  text: string;
  /** The text of the button, a verb with its object. */
  confirm: string;
  run: () => Promise<unknown>;
  onClose: () => void;
}) => (
  <DialogBox title={title} onClose={onClose} isAlert mustBeClosed>
    <div className="form">
      <p>{text}</p>
      <div className="buttons">
        <ActionButton variant="danger" run={run} onDone={onClose}>
          {confirm}
        </ActionButton>
        <Button onPress={onClose} autoFocus>
          {strings.cancel}
        </Button>
      </div>
    </div>
  </DialogBox>
);
