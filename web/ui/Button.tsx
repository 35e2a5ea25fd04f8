import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react'
import { classes } from './class-names.ts'
import type { Icon } from './icons.tsx'

export type ButtonTone = 'aqua' | 'gulf' | 'quiet' | 'outline' | 'danger' | 'link'

const tones: Record<ButtonTone, string> = {
  aqua: 'bg-aqua text-on-aqua hover:bg-aqua-press px-4.5',
  gulf: 'bg-gulf text-on-gulf px-4.5',
  quiet: 'bg-well text-ink hover:bg-well-2 px-4.5',
  outline: 'inset-ring inset-ring-line text-ink hover:bg-well px-4.5',
  danger: 'inset-ring inset-ring-line text-clay hover:bg-clay-soft px-4.5',
  link: 'text-aqua-ink hover:underline px-2',
}
const off = 'bg-well-2 text-ink-2 px-4.5'
const shape =
  'inline-flex items-center justify-center gap-2 rounded-m font-strong text-center transition-colors duration-120'
const sizes = {
  normal: 'min-h-tap py-1.5',
  big: 'min-h-13 w-full py-2 text-[1.0625rem]',
  /** Sizes of the admin area. */
  small: 'min-h-9.5 py-1 max-md:min-h-tap',
}

/** Button classes for links: `<Link className={buttonClass('aqua')}>`. */
export const buttonClass = (tone: ButtonTone = 'quiet', size: keyof typeof sizes = 'normal', more?: string) =>
  classes(shape, sizes[size], tones[tone], more)

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  tone?: ButtonTone
  /** `big` fills the width, for the main action of a view. */
  size?: keyof typeof sizes
  icon?: Icon
  /**
   * Reason why the button is disabled. If set, the button is disabled; announced, and shown below unless `children`
   * contain it.
   */
  reason?: string | false | null | undefined
  /** False if the button text already is the reason ("Add BHD 3.400 to check out"). */
  reasonShown?: boolean
  /** Busy: keeps its look and ignores clicks. */
  busy?: boolean
  children: ReactNode
}

/** A disabled button stays focusable, so that its reason is announced. */
export function Button(props: ButtonProps) {
  const { tone = 'quiet', size = 'normal', icon: Sign, reason, reasonShown, busy } = props
  const { children, className, onClick, type = 'button', ...rest } = withoutOwn(props)
  const id = useId()
  const isOff = Boolean(reason)
  const button = (
    <button
      {...rest}
      type={isOff || busy ? 'button' : type}
      aria-disabled={isOff || busy || undefined}
      aria-busy={busy || undefined}
      aria-describedby={isOff ? id : rest['aria-describedby']}
      className={classes(shape, sizes[size], isOff ? off : tones[tone], className)}
      onClick={isOff || busy ? undefined : onClick}
    >
      {Sign && <Sign size={20} aria-hidden="true" />}
      {children}
    </button>
  )
  if (!isOff) return button
  return (
    <>
      {button}
      <span id={id} className={reasonShown ? 'sr-only' : 'mt-1.5 block text-label text-ink-3'}>
        {reason}
      </span>
    </>
  )
}

function withoutOwn(props: ButtonProps) {
  const { tone, size, icon, reason, reasonShown, busy, ...rest } = props
  return rest
}
