import type { Editor } from '@tiptap/core';
import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { ComponentForm } from './component-form.tsx';
import { ImageForm } from './image-form.tsx';
import { LinkForm } from './link-form.tsx';
import { strings } from './strings.ts';

/** The dialogs of the editor. `at` is the position of the node that is edited; without it one is inserted. */
export type EditorDialog =
  | { kind: 'link' }
  | { kind: 'image'; file?: File; at?: number }
  | { kind: 'component'; at?: number };

/** What every form of a dialog gets. */
export interface FormProps {
  site: string;
  editor: Editor;
  onClose: () => void;
}

/** Shows the dialog that is open. */
export function EditorDialogs({ dialog, ...props }: FormProps & { dialog: EditorDialog }) {
  switch (dialog.kind) {
    case 'link':
      return (
        <Box title={strings.link} onClose={props.onClose}>
          <LinkForm {...props} />
        </Box>
      );
    case 'image':
      return (
        <Box title={dialog.at === undefined ? strings.insertImage : strings.editImage} onClose={props.onClose}>
          <ImageForm {...props} file={dialog.file} at={dialog.at} />
        </Box>
      );
    case 'component':
      return (
        <Box title={dialog.at === undefined ? strings.insertComponent : strings.editComponent} onClose={props.onClose}>
          <ComponentForm {...props} at={dialog.at} />
        </Box>
      );
  }
}

const Box = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => (
  <ModalOverlay className="dialog-overlay" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Modal className="dialog-box">
      <Dialog className="dialog">
        <Heading slot="title">{title}</Heading>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
);
