import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';

/** `primary`: the one thing to do on a page. `plain`: anything else. `quiet`: without a frame. `danger`: removes something. */
export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className'> {
  variant?: ButtonVariant;
  className?: string;
  children: ReactNode;
}

const classOf = (variant: ButtonVariant, className = '') => `button button-${variant} ${className}`.trim();

/** A button. With `isPending` it keeps the focus, and cannot be pressed. */
export const Button = ({ variant = 'plain', className, ...rest }: ButtonProps) => (
  <AriaButton {...rest} className={classOf(variant, className)} />
);

/** A button that shows only an icon; `label` names it. */
export const IconButton = ({ label, className = '', ...rest }: Omit<ButtonProps, 'variant'> & { label: string }) => (
  <AriaButton {...rest} aria-label={label} className={`icon-button ${className}`.trim()} />
);

/** A link to a page of the dashboard that looks like a button. */
export const LinkButton = ({
  to,
  variant = 'plain',
  children,
}: {
  to: string;
  variant?: ButtonVariant;
  children: ReactNode;
}) => (
  <Link to={to} className={classOf(variant)}>
    {children}
  </Link>
);
