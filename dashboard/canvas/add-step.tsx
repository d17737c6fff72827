// Chooses what kind of step is added.

import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icon-paths.ts';
import type { StepKind } from './kind.ts';
import { stepKinds } from './kinds.ts';
import { words } from './words.ts';

interface MoreChoice {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly text: string;
  readonly onChoose: () => void;
}

export function AddStep({
  isOpen,
  more,
  onChoose,
  onClose,
  focusAfter,
}: {
  readonly isOpen: boolean;
  /** What else can be added: copied steps. */
  readonly more: readonly MoreChoice[];
  readonly onChoose: (kind: StepKind) => void;
  readonly onClose: () => void;
  readonly focusAfter: () => HTMLElement | undefined;
}) {
  const choices: readonly MoreChoice[] = [
    ...stepKinds.map((kind) => ({
      id: kind.id,
      icon: kind.icon,
      label: kind.label,
      text: kind.text,
      onChoose: () => onChoose(kind),
    })),
    ...more,
  ];
  return (
    <Dialog title={words.add} isOpen={isOpen} onClose={onClose} focusAfter={focusAfter}>
      <ul className="add-step">
        {choices.map(({ id, icon, label, text, onChoose: choose }) => (
          <li key={id}>
            <button type="button" className="add-choice" onClick={choose}>
              <span className={`step-sign ${id}`}>
                <Icon name={icon} />
              </span>
              <span className="step-text">
                <strong>{label}</strong>
                <span className="soft">{text}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
