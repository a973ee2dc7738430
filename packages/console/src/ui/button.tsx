import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import type { Icon } from './icons.tsx'
import { LoaderCircle } from './icons.tsx'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  /** `primary` once a page; `ghost` has no border. Default: `normal`. */
  readonly kind?: 'primary' | 'normal' | 'ghost' | 'danger'
  readonly icon?: Icon
  /** The key that does the same. */
  readonly keys?: string
  /** Shows that it works, and keeps the width. */
  readonly isBusy?: boolean
  /** Why it cannot be pressed now, which is its tooltip then. */
  readonly blocked?: string | undefined
  /** Whether it is chosen, for buttons that switch something. */
  readonly isPressed?: boolean
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button with an optional icon and key. */
export function Button({
  kind = 'normal',
  icon: Icon,
  keys,
  isBusy = false,
  isPressed,
  children,
  blocked,
  disabled,
  title,
  ref,
  onClick,
  ...rest
}: ButtonProps): ReactNode {
  const shown = isBusy ? LoaderCircle : Icon
  // Not `disabled` while it works: a disabled button loses the focus, and the keyboard its place.
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isBusy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      ref={ref}
      type="button"
      {...rest}
      title={blocked ?? title}
      onClick={press}
      disabled={disabled === true || blocked !== undefined}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      aria-pressed={isPressed}
      className={classNames(
        styles['button'], styles[kind], children === undefined && styles['iconOnly'], isBusy && Icon === undefined && styles['waiting'],
      )}
    >
      {shown !== undefined && <ButtonIcon icon={shown} isBusy={isBusy} />}
      {children !== undefined && <span className={styles['text']}>{children}</span>}
      {keys !== undefined && <Kbd keys={keys} />}
    </button>
  )
}

/** The look of a button without a border, for a link that stands among such. */
export const buttonLink = classNames(styles['button'], styles['ghost'], styles['link'])

function ButtonIcon({ icon: Icon, isBusy }: { readonly icon: Icon; readonly isBusy: boolean }): ReactNode {
  return <Icon size={14} aria-hidden className={isBusy ? styles['busy'] : undefined} />
}

/** A button that is an icon alone; the label is its name and its tooltip. */
export function IconButton({
  label,
  ...rest
}: Omit<ButtonProps, 'children' | 'keys'> & { readonly icon: Icon; readonly label: string }): ReactNode {
  return <Button kind="ghost" {...rest} aria-label={label} title={label} />
}

/** A key, as a reader of the keyboard knows it. */
export function Kbd({ keys }: { readonly keys: string }): ReactNode {
  return (
    <kbd className={styles['kbd']} aria-hidden>
      {printKeys(keys)}
    </kbd>
  )
}

function printKeys(keys: string): string {
  const isMac = navigator.platform.startsWith('Mac')
  // As they are printed on the keyboard where another key is held.
  const named = keys.replace(/(?<=\+)[a-z]$/, (letter) => letter.toUpperCase())
  return named
    .replace('Mod+', isMac ? '⌘' : 'Ctrl ')
    .replace('Shift+', '⇧')
    .replace('Escape', 'Esc')
    .replace('Enter', '↵')
}
